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
 * The addresses that have connections. Of an IPv6 address the first 64 bits count, since one host
 * usually has all addresses behind them. Any thread.
 */
public final class Origins {
  private static final int NETWORK_BYTES = 8;

  private final Map<Object, Entry> entries = new ConcurrentHashMap<>();

  /** No addresses. */
  public Origins() {}

  /**
   * The address of a connection, until it {@link #leave}s.
   *
   * @param remote null, or of another kind than IP: all such are one
   */
  public Origin enter(SocketAddress remote) {
    return entries.compute(key(remote), (key, entry) -> Entry.oneMore(entry)).origin;
  }

  /** A connection from an address has ended; once for each {@link #enter}. */
  public void leave(SocketAddress remote) {
    entries.computeIfPresent(key(remote), (key, entry) -> --entry.connections == 0 ? null : entry);
  }

  /** From how many addresses there are connections. */
  public int count() {
    return entries.size();
  }

  /**
   * What is equal for all addresses that are taken for one.
   *
   * @param remote null, or of another kind than IP: all such are one
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

  /** Changed while its key is locked. */
  private static final class Entry {
    private final Origin origin = Origin.ofAddress();
    private int connections;

    private static Entry oneMore(Entry entry) {
      Entry more = entry == null ? new Entry() : entry;
      more.connections++;
      return more;
    }
  }
}
