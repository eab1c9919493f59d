package io.entroq.system.member;

import io.aeron.driver.ext.LossGenerator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Drops packets that this member receives: all from some members, and a fraction of the rest. Each
 * member sends from an address of its own. Any thread sets it; the media driver calls it.
 */
final class PacketFilter implements LossGenerator {
  /** The media driver creates endpoints itself, so they share this. */
  static final PacketFilter OF_THIS_PROCESS = new PacketFilter();

  private static volatile InetAddress own = InetAddress.getLoopbackAddress();

  private volatile Set<InetAddress> cut = Set.of();
  private volatile double loss;

  /** Used by the driver's thread only. */
  private final SplittableRandom random = new SplittableRandom(1);

  private PacketFilter() {}

  static InetAddress own() {
    return own;
  }

  /** Sets the address of this member, before it starts. */
  static void setOwn(InetAddress address) {
    own = address;
  }

  /** Drops all packets from these addresses. */
  void cut(Set<InetAddress> others) {
    cut = Set.copyOf(others);
  }

  /** Drops a fraction of all packets. */
  void lose(double part) {
    loss = part;
  }

  @Override
  public boolean shouldDropFrame(InetSocketAddress address, UnsafeBuffer buffer, int length) {
    InetAddress from = address.getAddress();
    if (from.equals(own)) {
      return false;
    }
    return cut.contains(from) || (loss > 0 && random.nextDouble() < loss);
  }
}
