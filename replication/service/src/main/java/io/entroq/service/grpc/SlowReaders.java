package io.entroq.service.grpc;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds readers that have read nothing for too long. Pings cannot: a client may be alive without
 * reading. Any thread.
 *
 * <p>It looks at all readers at intervals, since a timer for each would cost each call. Nearly all
 * responses leave at once, but the transport reports that only after the call. So readers pass
 * through a ring first. They are tracked only if they are still in it when their slot is needed or
 * at the next look.
 */
final class SlowReaders {
  private static final Logger LOG = LoggerFactory.getLogger(SlowReaders.class);

  /** How often it looks within the time that a reader may stall. */
  private static final int LOOKS = 8;

  private static final long LOOK_MS_MIN = 10;

  /** More than the number of responses that wait for the transport at a time. */
  private static final int PASSING = 1 << 10;

  private final Duration stallMax;
  private final Refusal refusal;
  private final AtomicReferenceArray<ResponseReader> passing = new AtomicReferenceArray<>(PASSING);
  private final Set<ResponseReader> slow = ConcurrentHashMap.newKeySet();
  private final AtomicLong cut = new AtomicLong();

  /** The ring's next slot. If two readers race for one, the first is tracked. */
  private int nextSlot;

  SlowReaders(Duration stallMax) {
    this.stallMax = stallMax;
    refusal =
        new Refusal(
            Status.Code.UNAVAILABLE,
            Limit.STALL.named(
                "nothing of the response was read for %d ms; ask again for the rest"
                    .formatted(stallMax.toMillis())));
  }

  /** Looks at intervals until the executor stops. */
  void start(ScheduledExecutorService clock) {
    long periodMs = Math.max(LOOK_MS_MIN, stallMax.toMillis() / LOOKS);
    Future<?> unused =
        clock.scheduleWithFixedDelay(
            () -> look(System.nanoTime()), periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  void look(long nowNs) {
    for (int i = 0; i < PASSING; i++) {
      pass(i, null);
    }
    slow.forEach(reader -> look(reader, nowNs));
  }

  private static void look(ResponseReader reader, long nowNs) {
    try {
      reader.look(nowNs);
    } catch (Throwable t) {
      // Unexpected; the other readers must still be checked, now and later.
      LOG.error("A slow reader met a fault of this server.", t);
    }
  }

  /** Adds a reader to the ring: its last bytes were sent, and most likely leave at once. */
  void sentLastTo(ResponseReader reader) {
    int slot = nextSlot;
    nextSlot = (slot + 1) % PASSING;
    pass(slot, reader);
  }

  private void pass(int slot, ResponseReader reader) {
    ResponseReader before = passing.getAndSet(slot, reader);
    if (before != null) {
      before.await();
    }
  }

  /** How long a reader may take for this many bytes. */
  Duration patience(long bytes) {
    return ReadTimeout.of(stallMax, bytes);
  }

  /** The error of readers that read nothing for too long. */
  Refusal refusal() {
    return refusal;
  }

  void onCut() {
    cut.incrementAndGet();
  }

  /** The responses that were cut. */
  long cut() {
    return cut.get();
  }

  /** The tracked readers. */
  int count() {
    return slow.size();
  }

  void add(ResponseReader reader) {
    slow.add(reader);
  }

  void remove(ResponseReader reader) {
    slow.remove(reader);
  }
}
