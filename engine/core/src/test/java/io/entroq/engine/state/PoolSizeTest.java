package io.entroq.engine.state;

import static io.entroq.codec.wire.log.Fair.FAIR_LEAST_IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Tick;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pools with very many members: no step does work for all of them. */
class PoolSizeTest extends PoolTestBase {
  private static final int MEMBERS = 100_000;
  private static final int PARTS = 64;

  private void fill() {
    long id = 1_000_000;
    for (int i = 0; i < MEMBERS; ) {
      Modify.Builder modify = modify(ANN);
      for (int end = i + 1_000; i < end; i++) {
        modify.addInserts(insert("p/" + i, ++id, nowMs));
      }
      apply(modify);
    }
  }

  @Test
  void shouldFollowPoliciesInParts() {
    put(pool("p", FAIR_LEAST_IN_FLIGHT), prefix("p/").setInFlightMax(1));
    fill();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      apply(claim(BOB, "p").setLimit(50)).claimed.forEach(task -> seen.add(task.queue()));
    }
    assertThat(seen).as("as many members as claims").hasSize(5_000);
    put(prefix("p/").setInFlightMax(2).setWeight(7));
    int ticks = walk();
    assertThat(ticks).as("a part in the write, the others in ticks").isEqualTo(PARTS - 1);
    // All other prefixes concern no pool.
    put(prefix("q/").setInFlightMax(2));
    assertThat(walk()).isZero();
    put(pool("p", FAIR_LEAST_IN_FLIGHT).setPoolInFlightMax(5_001));
    walk();
    assertThat(starts(2, "p")).containsNull().doesNotHaveDuplicates();
    assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
  }

  @Test
  void shouldAttachInPartsAndLoadInBetween() {
    fill();
    put(pool("p", FAIR_LEAST_IN_FLIGHT));
    for (int i = 0; i < 10; i++) {
      apply(Tick.getDefaultInstance());
    }
    try (StateMachine copy = reloaded()) {
      while (machine.nextDeadlineMs() <= nowMs) {
        applyTo(copy, Tick.getDefaultInstance());
        apply(Tick.getDefaultInstance());
        assertThat(copy.contentDigest()).isEqualTo(machine.contentDigest());
      }
      assertThat(machine.stores.ruled.pools().size()).isEqualTo(MEMBERS + 2);
      applyToBoth(copy, claim(BOB, "p").setLimit(100).build());
      assertThat(said.answers.get(0).claimed).extracting(Shot::queue).doesNotHaveDuplicates();
    }
  }

  /** Ticks until all queues follow; returns their number. */
  private int walk() {
    int ticks = 0;
    while (machine.nextDeadlineMs() <= nowMs) {
      apply(Tick.getDefaultInstance());
      ticks++;
    }
    return ticks;
  }
}
