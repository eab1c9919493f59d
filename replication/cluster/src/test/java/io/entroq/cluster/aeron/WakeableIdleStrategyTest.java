package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WakeableIdleStrategyTest {
  @Test
  void shouldTellOfWorkAndOfNothingElse() {
    WakeableIdleStrategy idle = new WakeableIdleStrategy(() -> true);
    AtomicInteger told = new AtomicInteger();
    idle.onWork(told::incrementAndGet);
    idle.idle(0);
    idle.idle();
    assertThat(told).hasValue(0);
    idle.idle(3);
    assertThat(told).hasValue(1);
  }

  @Test
  void shouldGoOnAfterWakeUpsThatComeAtAnyTime() throws InterruptedException {
    WakeableIdleStrategy idle = new WakeableIdleStrategy(() -> false);
    AtomicInteger turns = new AtomicInteger();
    Thread part =
        new Thread(
            () -> {
              while (turns.incrementAndGet() < 2_000) {
                idle.idle();
              }
            });
    part.setDaemon(true);
    part.start();
    while (part.isAlive()) {
      idle.wake();
    }
    part.join();
    assertThat(turns).hasValue(2_000);
  }
}
