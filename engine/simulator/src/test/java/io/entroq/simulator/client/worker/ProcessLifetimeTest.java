package io.entroq.simulator.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.virtual.EventQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessLifetimeTest {
  @Test
  void shouldStandStillToTheEndOfItsLongestStall() {
    EventQueue agenda = new EventQueue();
    ProcessLifetime life = new ProcessLifetime(agenda);
    List<Long> happened = new ArrayList<>();
    life.stall(10);
    life.stall(5);
    life.happen(() -> happened.add(agenda.nowNs()));
    life.in(7, () -> happened.add(agenda.nowNs()));
    while (agenda.step()) {
      // Until nothing is left to happen.
    }

    assertThat(happened).containsExactly(10L, 10L);
  }
}
