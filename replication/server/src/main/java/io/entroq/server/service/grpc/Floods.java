package io.entroq.server.service.grpc;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections of a server that were closed because they flooded it. Any thread. */
final class Floods {
  private static final Logger LOG = LoggerFactory.getLogger(Floods.class);
  private static final long LOG_INTERVAL_NS = Duration.ofMinutes(1).toNanos();

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong logDueNs = new AtomicLong(System.nanoTime());

  /** How many there have been. */
  long count() {
    return count.get();
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
    long dueNs = logDueNs.get();
    long nowNs = System.nanoTime();
    if (nowNs - dueNs >= 0 && logDueNs.compareAndSet(dueNs, nowNs + LOG_INTERVAL_NS)) {
      LOG.warn(
          "Closed the gRPC connection from {}: {}. It is number {} since this server started; at"
              + " most one a minute is logged.",
          peer,
          reason,
          total);
    }
  }
}
