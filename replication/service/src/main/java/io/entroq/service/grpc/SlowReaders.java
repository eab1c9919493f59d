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

  /** How many looks there are while a reader may read nothing. */
  private static final int LOOKS = 8;

  private static final long LOOK_MS_MIN = 10;

  /** More than the responses that wait for the transport at a time. */
  private static final int PASSING = 1 << 10;

  private final Duration stallMax;
  private final Refusal refusal;
  private final AtomicReferenceArray<ResponseReader> passing = new AtomicReferenceArray<>(PASSING);
  private final Set<ResponseReader> slow = ConcurrentHashMap.newKeySet();
  private final AtomicLong cut = new AtomicLong();

  /** The ring's next place. Two readers may get the same one: the first is tracked then. */
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

  /** Looks at intervals, as long as the executor runs. */
  void start(ScheduledExecutorService clock) {
    long periodMs = Math.max(LOOK_MS_MIN, stallMax.toMillis() / LOOKS);
    Future<?> unused =
        clock.scheduleWithFixedDelay(
            () -> look(System.nanoTime()), periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  /** Looks at all readers. */
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
      // Not expected; the other readers must still be checked, now and later.
      LOG.error("A slow reader met a fault of this server.", t);
    }
  }

  /** The reader's last bytes were sent, and most likely leave at once. */
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

  /** How long a reader may take for so many bytes. */
  Duration patience(long bytes) {
    return ReadTimeout.of(stallMax, bytes);
  }

  /** The error of readers that read nothing for too long. */
  Refusal refusal() {
    return refusal;
  }

  /** Counts a response that was cut. */
  void onCut() {
    cut.incrementAndGet();
  }

  /** The responses that were cut. */
  long cut() {
    return cut.get();
  }

  /** The readers that are tracked. */
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
