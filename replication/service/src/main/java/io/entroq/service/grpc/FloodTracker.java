package io.entroq.service.grpc;

import io.entroq.service.limit.Origins;
import io.entroq.service.limit.RateLimitedLog;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the connections that were closed because they flooded the server, and remembers their
 * addresses for a while. Any thread.
 */
final class FloodTracker {
  /** How long an address is suspect after its last flood. */
  static final long SUSPECT_NS = TimeUnit.SECONDS.toNanos(10);

  /** How many addresses are remembered: those with the latest floods. */
  static final int SUSPECTS_MAX = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(FloodTracker.class);

  private final LongSupplier clockNs;
  private final AtomicLong count = new AtomicLong();
  private final RateLimitedLog log;

  /** The last flood of each address, the latest at the end. Guarded by itself. */
  private final Map<Object, Long> suspects = new LinkedHashMap<>();

  /**
   * @param clockNs a monotonic clock
   */
  FloodTracker(LongSupplier clockNs) {
    this.clockNs = clockNs;
    log = new RateLimitedLog(Duration.ofMinutes(1), clockNs);
  }

  long nowNs() {
    return clockNs.getAsLong();
  }

  long count() {
    return count.get();
  }

  /**
   * Whether an address has flooded the server recently.
   *
   * @param peer null and addresses that are not IP count as one address
   */
  boolean isSuspect(SocketAddress peer) {
    synchronized (suspects) {
      if (suspects.isEmpty()) {
        return false;
      }
      Long lastNs = suspects.get(Origins.key(peer));
      return lastNs != null && nowNs() - lastNs < SUSPECT_NS;
    }
  }

  /**
   * Counts a flood, and logs at most one a minute: flooders reconnect.
   *
   * @param reason what the peer did, with figures
   */
  void onFlood(SocketAddress peer, String reason) {
    long total = count.incrementAndGet();
    suspect(Origins.key(peer), nowNs());
    log.run(
        suppressed ->
            LOG.warn(
                "Closed the gRPC connection from {}: {}. It is number {} since this server started;"
                    + " at most one a minute is logged.",
                peer,
                reason,
                total));
  }

  private void suspect(Object address, long nowNs) {
    synchronized (suspects) {
      suspects.remove(address);
      if (suspects.size() == SUSPECTS_MAX) {
        suspects.remove(suspects.keySet().iterator().next());
      }
      suspects.put(address, nowNs);
    }
  }
}
