package io.entroq.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.memory.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The highest number of claims of a queue's tasks follows tasks that come and go. */
class ClaimsCountsTest {
  private static final int QUEUES = 3;

  private final Arena arena = new Arena();
  private final QueueStore queues = new QueueStore(arena, 4);
  private final ClaimsCounts counts = new ClaimsCounts(queues);
  private final int[] slots = new int[QUEUES];

  ClaimsCountsTest() {
    for (int i = 0; i < QUEUES; i++) {
      slots[i] = queues.findOrAdd(new UnsafeBuffer(new byte[] {(byte) i}), 0, 1);
    }
  }

  @AfterEach
  void close() {
    counts.close();
    queues.close();
    arena.close();
  }

  @Test
  void shouldKnowTheMostWhateverComesAndGoes() {
    Random random = new Random(7);
    List<List<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      tasks.add(new ArrayList<>());
    }
    for (int step = 0; step < 20_000; step++) {
      int at = random.nextInt(QUEUES);
      List<Integer> here = tasks.get(at);
      if (here.isEmpty() || random.nextInt(20) < 10) {
        int claims = random.nextInt(3) == 0 ? random.nextInt(1 << 28) : random.nextInt(6);
        here.add(claims);
        counts.add(slots[at], claims);
      } else {
        counts.remove(slots[at], here.remove(random.nextInt(here.size())));
      }
      int most = here.isEmpty() ? 0 : Collections.max(here);
      assertThat(queues.claimsMax(slots[at])).as("step %d", step).isEqualTo(most);
    }
  }

  @Test
  void shouldNotCountDownFromATaskThatWasClaimedVeryOften() {
    for (int i = 0; i < 1_000; i++) {
      counts.add(slots[0], Integer.MAX_VALUE);
      counts.remove(slots[0], Integer.MAX_VALUE);
    }
    assertThat(queues.claimsMax(slots[0])).isZero();
  }
}
