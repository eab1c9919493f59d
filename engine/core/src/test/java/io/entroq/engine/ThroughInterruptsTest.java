package io.entroq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThroughInterruptsTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final long INTERVAL_MS = 10;
  private static final int INTERRUPTS_MAX = 3_000;

  private final CountDownLatch latch = new CountDownLatch(1);

  @AfterEach
  void forgetInterrupt() {
    Thread.interrupted();
  }

  @Test
  void shouldWaitNoLongerForInterrupts() {
    Interrupting interrupting = new Interrupting(Thread.currentThread());
    interrupting.start();
    boolean isReached = ThroughInterrupts.await(latch, LIMIT);
    boolean wasInterrupted = Thread.interrupted();
    interrupting.isOver.countDown();
    ThroughInterrupts.await(interrupting::join);
    assertThat(isReached).isFalse();
    assertThat(wasInterrupted).as("interrupts are pending afterwards").isTrue();
    assertThat(interrupting.hasGivenUp).isFalse();
  }

  @Test
  void shouldReturnAtOnceIfItIsOver() {
    latch.countDown();
    assertThat(ThroughInterrupts.await(latch, Duration.ZERO)).isTrue();
    Thread.currentThread().interrupt();
    assertThat(ThroughInterrupts.await(latch, Duration.ZERO)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Interrupts a thread again and again. */
  private static final class Interrupting extends Thread {
    final CountDownLatch isOver = new CountDownLatch(1);
    volatile boolean hasGivenUp;
    private final Thread waiting;

    Interrupting(Thread waiting) {
      this.waiting = waiting;
    }

    @Override
    public void run() {
      try {
        for (int i = 0; i < INTERRUPTS_MAX; i++) {
          waiting.interrupt();
          if (isOver.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
            return;
          }
        }
        hasGivenUp = true;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
