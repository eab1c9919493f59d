package io.entroq.service.limit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses that have connections. IPv6 addresses with the same first 64 bits are one, since a
 * host usually has a whole /64. Any thread.
 */
public final class Origins {
  private static final int NETWORK_BYTES = 8;

  private final Map<Object, Entry> entries = new ConcurrentHashMap<>();

  /**
   * Counts a connection until {@link #leave}; returns its address.
   *
   * @param remote all that are null or not IP count as one
   */
  public Origin enter(SocketAddress remote) {
    return entries.compute(key(remote), (key, entry) -> Entry.increment(entry)).origin;
  }

  /** Call once when a counted connection has ended. */
  public void leave(SocketAddress remote) {
    entries.computeIfPresent(key(remote), (key, entry) -> --entry.connections == 0 ? null : entry);
  }

  /** The number of addresses with connections. */
  public int count() {
    return entries.size();
  }

  /**
   * A key that is equal for addresses that count as one.
   *
   * @param remote all that are null or not IP count as one
   */
  public static Object key(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress ip) || ip.getAddress() == null) {
      return ByteBuffer.allocate(0);
    }
    InetAddress address = ip.getAddress();
    byte[] bytes = address.getAddress();
    return ByteBuffer.wrap(
        address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  /** Changed only while the map locks its key. */
  private static final class Entry {
    private final Origin origin = Origin.ofAddress();
    private int connections;

    private static Entry increment(Entry entry) {
      Entry result = entry == null ? new Entry() : entry;
      result.connections++;
      return result;
    }
  }
}
