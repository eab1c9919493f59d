package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PartIdleTest {
  @Test
  void shouldTellOfWorkAndOfNothingElse() {
    PartIdle idle = new PartIdle(() -> true);
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
    PartIdle idle = new PartIdle(() -> false);
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
