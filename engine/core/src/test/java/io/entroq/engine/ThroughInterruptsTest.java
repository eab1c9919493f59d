package io.entroq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThroughInterruptsTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final long INTERVAL_MS = 10;

  private final CountDownLatch latch = new CountDownLatch(1);

  @AfterEach
  void forgetInterrupt() {
    Thread.interrupted();
  }

  @Test
  void shouldWaitNoLongerForInterrupts() throws InterruptedException {
    CountDownLatch isOver = new CountDownLatch(1);
    Thread waiting = Thread.currentThread();
    Thread interrupting =
        new Thread(
            () -> {
              try {
                do {
                  waiting.interrupt();
                } while (!isOver.await(INTERVAL_MS, TimeUnit.MILLISECONDS));
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    interrupting.start();
    boolean isReached;
    try {
      isReached = ThroughInterrupts.await(latch, LIMIT);
    } finally {
      isOver.countDown();
    }
    assertThat(isReached).isFalse();
    ThroughInterrupts.await(interrupting::join);
    assertThat(Thread.interrupted()).as("interrupts are pending afterwards").isTrue();
  }

  @Test
  void shouldReturnAtOnceIfItIsOver() {
    latch.countDown();
    assertThat(ThroughInterrupts.await(latch, Duration.ZERO)).isTrue();
    Thread.currentThread().interrupt();
    assertThat(ThroughInterrupts.await(latch, Duration.ZERO)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }
}
