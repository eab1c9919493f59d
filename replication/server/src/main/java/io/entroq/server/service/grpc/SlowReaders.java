package io.entroq.server.service.grpc;

import io.entroq.server.service.call.ReaderPatience;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks after answers that are on their way, and cuts those whose readers take nothing for too
 * long: a connection is alive as long as its client is, whether anybody reads there or not. Any
 * thread.
 *
 * <p>One look at all of them now and then, since a timer for each would cost each call.
 */
final class SlowReaders {
  /** How often it looks while a reader may take nothing. */
  private static final int LOOKS = 8;

  private static final long LOOK_MS_MIN = 10;

  private final Duration stallMax;
  private final Set<GrpcReply<?>> answers = ConcurrentHashMap.newKeySet();
  private final AtomicLong cut = new AtomicLong();

  SlowReaders(Duration stallMax) {
    this.stallMax = stallMax;
  }

  /** Looks for as long as a clock goes. */
  void start(ScheduledExecutorService clock) {
    long periodMs = Math.max(LOOK_MS_MIN, stallMax.toMillis() / LOOKS);
    Future<?> unused =
        clock.scheduleWithFixedDelay(this::look, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  private void look() {
    long nowNs = System.nanoTime();
    answers.forEach(answer -> answer.look(nowNs));
  }

  /** How long the reader of an answer has until so many bytes of it have left. */
  Duration patience(long bytes) {
    return ReaderPatience.of(stallMax, bytes);
  }

  /** How long a reader may take nothing. */
  Duration stallMax() {
    return stallMax;
  }

  /** An answer is cut. */
  void onCut() {
    cut.incrementAndGet();
  }

  /** How many answers were cut. */
  long cut() {
    return cut.get();
  }

  void add(GrpcReply<?> answer) {
    answers.add(answer);
  }

  void remove(GrpcReply<?> answer) {
    answers.remove(answer);
  }
}
