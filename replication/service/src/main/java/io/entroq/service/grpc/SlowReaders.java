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
 * Finds readers that have read nothing for too long. Pings do not: a client may be alive and not
 * read. Any thread.
 *
 * <p>It looks at all readers at intervals, since a timer for each would cost each call. Nearly all
 * responses leave at once, but the transport reports that only after the call. So readers pass
 * through a ring first, and are tracked only if they are still there when their place is needed, or
 * at the next look.
 */
final class SlowReaders {
  private static final Logger LOG = LoggerFactory.getLogger(SlowReaders.class);

  /** How often it looks while a reader may take nothing. */
  private static final int LOOKS = 8;

  private static final long LOOK_MS_MIN = 10;

  /** More than there are answers before the transport comes to send them. */
  private static final int PASSING = 1 << 10;

  private final Duration stallMax;
  private final Refusal refusal;
  private final AtomicReferenceArray<ResponseReader> passing = new AtomicReferenceArray<>(PASSING);
  private final Set<ResponseReader> slow = ConcurrentHashMap.newKeySet();
  private final AtomicLong cut = new AtomicLong();

  /** The place for the next one who passes. Two may get the same: one is looked after then. */
  private int place;

  SlowReaders(Duration stallMax) {
    this.stallMax = stallMax;
    refusal =
        new Refusal(
            Status.Code.ABORTED,
            Limit.STALL.named(
                "the response was not read any further for %d ms; ask again for the rest"
                    .formatted(stallMax.toMillis())));
  }

  /** Looks for as long as a clock goes. */
  void start(ScheduledExecutorService clock) {
    long periodMs = Math.max(LOOK_MS_MIN, stallMax.toMillis() / LOOKS);
    Future<?> unused =
        clock.scheduleWithFixedDelay(
            () -> look(System.nanoTime()), periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  /** Looks after all. */
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
      // It was not to throw. All the same there are others to look after, now and later.
      LOG.error("A slow reader met a fault of this server.", t);
    }
  }

  /** A reader has been sent the last that he gets, and most likely it leaves at once. */
  void sentLastTo(ResponseReader reader) {
    int own = place;
    place = (own + 1) % PASSING;
    pass(own, reader);
  }

  private void pass(int own, ResponseReader reader) {
    ResponseReader before = passing.getAndSet(own, reader);
    if (before != null) {
      before.await();
    }
  }

  /** How long a reader has until so many bytes have left. */
  Duration patience(long bytes) {
    return ReadTimeout.of(stallMax, bytes);
  }

  /** What those are told who take nothing for too long. */
  Refusal refusal() {
    return refusal;
  }

  /** An answer is cut. */
  void onCut() {
    cut.incrementAndGet();
  }

  /** How many answers were cut. */
  long cut() {
    return cut.get();
  }

  /** How many readers are looked after. */
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
