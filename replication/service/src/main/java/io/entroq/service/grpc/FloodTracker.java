package io.entroq.service.grpc;

import io.entroq.service.limit.Origins;
import java.net.SocketAddress;
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
  /** For how long after the last flood an address is suspect. */
  static final long SUSPECT_NS = TimeUnit.SECONDS.toNanos(10);

  /** How many addresses are known; the one whose last flood is longest ago is forgotten first. */
  static final int SUSPECTS_MAX = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(FloodTracker.class);
  private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier clockNs;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong logDueNs;

  /** When each address flooded last, the latest at the end. Guarded by itself. */
  private final Map<Object, Long> suspects = new LinkedHashMap<>();

  /**
   * None yet.
   *
   * @param clockNs a time that does not jump
   */
  FloodTracker(LongSupplier clockNs) {
    this.clockNs = clockNs;
    logDueNs = new AtomicLong(clockNs.getAsLong());
  }

  long nowNs() {
    return clockNs.getAsLong();
  }

  /** How many there have been. */
  long count() {
    return count.get();
  }

  /**
   * Whether a connection from an address was closed for a flood a short time ago.
   *
   * @param peer null, or of another kind than IP: all such are one
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
   * Counts one, and logs it unless another one was logged within the last minute: who floods comes
   * back.
   *
   * @param peer where it came from
   * @param reason what it did, with figures
   */
  void onFlood(SocketAddress peer, String reason) {
    long total = count.incrementAndGet();
    long nowNs = nowNs();
    suspect(Origins.key(peer), nowNs);
    long dueNs = logDueNs.get();
    if (nowNs - dueNs >= 0 && logDueNs.compareAndSet(dueNs, nowNs + LOG_INTERVAL_NS)) {
      LOG.warn(
          "Closed the gRPC connection from {}: {}. It is number {} since this server started; at"
              + " most one a minute is logged.",
          peer,
          reason,
          total);
    }
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
