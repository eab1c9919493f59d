package io.entroq.system.member;

import io.aeron.driver.ext.LossGenerator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the network lets through to the member of this process: nothing from some of the others, and
 * of the rest not everything. Each member has an address of its own, from which it sends all. Any
 * thread tells; the driver's asks.
 */
final class Network implements LossGenerator {
  /** One for all endpoints of the process, as the driver makes those by itself. */
  static final Network OF_THIS_PROCESS = new Network();

  private static volatile InetAddress own = InetAddress.getLoopbackAddress();

  private volatile Set<InetAddress> cut = Set.of();
  private volatile double loss;

  /** Driver's thread. */
  private final SplittableRandom random = new SplittableRandom(1);

  private Network() {}

  /** Where this member is. */
  static InetAddress own() {
    return own;
  }

  /** Says where this member is, before it starts. */
  static void beAt(InetAddress address) {
    own = address;
  }

  /** From here on nothing comes from these. */
  void cut(Set<InetAddress> others) {
    cut = Set.copyOf(others);
  }

  /** From here on some of what others send is lost. */
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
