package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WakeableIdleStrategyTest {
  @Test
  void shouldReportOnlyWork() {
    WakeableIdleStrategy idle = new WakeableIdleStrategy(() -> true);
    AtomicInteger reports = new AtomicInteger();
    idle.onWork(reports::incrementAndGet);
    idle.idle(0);
    idle.idle();
    assertThat(reports).hasValue(0);
    idle.idle(3);
    assertThat(reports).hasValue(1);
  }

  @Test
  void shouldContinueAfterWakeUpsAtAnyTime() throws InterruptedException {
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
