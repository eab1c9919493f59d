package io.entroq.simulator.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.virtual.EventQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessLifetimeTest {
  @Test
  void shouldStandStillToTheEndOfItsLongestStall() {
    EventQueue events = new EventQueue();
    ProcessLifetime life = new ProcessLifetime(events);
    List<Long> happened = new ArrayList<>();
    life.stall(10);
    life.stall(5);
    life.happen(() -> happened.add(events.nowNs()));
    life.in(7, () -> happened.add(events.nowNs()));
    while (events.step()) {
      // Until no event is left.
    }

    assertThat(happened).containsExactly(10L, 10L);
  }
}
