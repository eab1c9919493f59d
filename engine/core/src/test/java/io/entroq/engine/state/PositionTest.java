package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.TaskPosition;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.ReadyRanks;
import io.entroq.engine.result.PositionPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Where tasks stand in their queues. */
class PositionTest extends PolicyTestBase {

  private static final int EFFORT = 64;

  private void put(Policy.Builder policy) {
    apply(modify(ANN).addPolicyPuts(policy));
  }

  private static Policy.Builder ordered(Order order) {
    Policy.Builder policy = Policy.newBuilder().setName("q").setOrder(order);
    return order == Order.ORDER_STRICT ? policy.setInFlightMax(1) : policy;
  }

  private Result position(long id) {
    UnsafeBuffer query =
        new UnsafeBuffer(
            TaskPosition.newBuilder().setId(Id.newBuilder().setLow(id)).build().toByteArray());
    PositionPage page = new PositionPage(query, 0, query.capacity());
    page.next();
    while (page.fill(machine, nowMs, EFFORT)) {
      continue;
    }
    assertThat(page.isLast()).isTrue();
    byte[] result = new byte[page.length()];
    page.buffer().getBytes(0, result);
    try {
      return Result.parseFrom(result);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private void assertPosition(long id, long ahead, long startMs) {
    Result result = position(id);
    assertThat(result.getReady()).isTrue();
    assertThat(result.getPosition()).isEqualTo(ahead);
    assertThat(result.getExpectedStartMs()).isEqualTo(startMs);
  }

  private ReadyRanks ranks() {
    return machine.stores.ready.ranks();
  }

  @Test
  void shouldExpectStartsAtTheRateOfAQueue() {
    put(ordered(Order.ORDER_OLDEST).setRateLimit(1).setRatePeriodMs(1_000));
    for (int i = 1; i <= 4; i++) {
      insert("q", i);
    }
    assertPosition(1, 0, nowMs);
    assertPosition(4, 3, nowMs + 3_000);

    assertThat(apply(claim(BOB, "q")).claimed).hasSize(1);
    assertPosition(2, 0, nowMs + 1_000);
    assertPosition(4, 2, nowMs + 3_000);
    Result held = position(1);
    assertThat(held.getReady()).isFalse();
    assertThat(held.getPosition()).isEqualTo(-1);
    assertThat(held.getExpectedStartMs()).isEqualTo(find(1).arrivalMs());
  }

  @Test
  void shouldStartAtTheTimeThatWasToldIfThatIsAFractionOfAMillisecond() {
    put(ordered(Order.ORDER_OLDEST).setRateLimit(3).setRatePeriodMs(1_000));
    for (int i = 1; i <= 5; i++) {
      insert("q", i);
    }
    long[] toldMs = new long[6];
    for (int i = 1; i <= 5; i++) {
      assertThat(position(i).getPosition()).isEqualTo(i - 1);
      toldMs[i] = position(i).getExpectedStartMs();
    }
    assertThat(toldMs[1]).isEqualTo(nowMs);
    for (int i = 1; i <= 5; i++) {
      if (i > 1) {
        nowMs = toldMs[i] - 1;
        assertThat(apply(claim(BOB, "q")).claimed).isEmpty();
      }
      nowMs = toldMs[i];
      assertThat(apply(claim(BOB, "q")).claimed).hasSize(1);
      assertThat(position(i).getReady()).isFalse();
    }
  }

  @Test
  void shouldCountABurst() {
    put(ordered(Order.ORDER_OLDEST).setRateLimit(1).setRatePeriodMs(1_000).setRateBurst(3));
    for (int i = 1; i <= 5; i++) {
      insert("q", i);
    }
    assertPosition(3, 2, nowMs);
    assertPosition(5, 4, nowMs + 2_000);
  }

  @Test
  void shouldTellWhatATaskThatIsNotReadyWaitsFor() {
    put(ordered(Order.ORDER_OLDEST).setRateLimit(1).setRatePeriodMs(1_000));
    apply(modify(ANN).addInserts(insert("q", 1, nowMs + 5_000)));

    Result result = position(1);
    assertThat(result.getReady()).isFalse();
    assertThat(result.getPosition()).isEqualTo(-1);
    assertThat(result.getExpectedStartMs()).isEqualTo(nowMs + 5_000);
    Result missing = position(2);
    assertThat(missing.getReady()).isFalse();
    assertThat(missing.getPosition()).isZero();
  }

  @Test
  void shouldKnowNoPositionWithoutAnOrder() {
    insert("q", 1);
    Result result = position(1);
    assertThat(result.getReady()).isTrue();
    assertThat(result.getPosition()).isEqualTo(-1);
    assertThat(ranks().size()).isZero();
  }

  @Test
  void shouldCountTasksThatAreDueButNotReadyYet() {
    put(ordered(Order.ORDER_OLDEST));
    apply(modify(ANN).addInserts(insert("q", 1, nowMs + 20)));
    apply(modify(ANN).addInserts(insert("q", 2, nowMs + 10)));
    apply(modify(ANN).addInserts(insert("q", 3, nowMs + 20)));
    insert("q", 4);
    nowMs += 20;

    assertPosition(4, 0, 0);
    assertPosition(2, 1, 0);
    assertPosition(1, 2, 0);
    assertPosition(3, 3, 0);
  }

  @Test
  void shouldCountTheTaskInFrontOfAStrictQueue() {
    put(ordered(Order.ORDER_STRICT).setRateLimit(1).setRatePeriodMs(1_000));
    for (int i = 1; i <= 3; i++) {
      insert("q", i);
    }
    apply(claim(BOB, "q"));
    assertPosition(2, 0, nowMs + 1_000);
    // The lease ends: the task is the youngest and in front.
    nowMs = find(1).arrivalMs();
    apply(Tick.getDefaultInstance());

    assertPosition(1, 0, nowMs);
    assertPosition(2, 1, nowMs + 1_000);
    assertPosition(3, 2, nowMs + 2_000);
  }

  @Test
  void shouldAgreeWithAWalkOfTheList() {
    put(ordered(Order.ORDER_OLDEST));
    Random random = new Random(7);
    List<Long> ready = new ArrayList<>();
    long next = 1;
    for (int step = 0; step < 30_000; step++) {
      // Grows, shrinks, and grows again.
      boolean grows = random.nextInt(100) < ((step / 6_000) % 2 == 0 ? 70 : 30);
      if (grows || ready.isEmpty()) {
        ready.add(next);
        insert("q", next++);
      } else {
        // Mostly old ones, sometimes any.
        int index = random.nextInt(10) < 7 ? 0 : random.nextInt(ready.size());
        apply(modify(BOB).addDeletes(ref(ready.remove(index), 0)));
      }
      if (step > 3_000 && step % 7 == 0 && !ready.isEmpty()) {
        int index = random.nextInt(ready.size());
        assertThat(position(ready.get(index)).getPosition()).isEqualTo(index);
      }
    }
    for (int i = 0; i < ready.size(); i++) {
      assertThat(position(ready.get(i)).getPosition()).isEqualTo(i);
    }
    assertSame(reloaded());
  }

  @Test
  void shouldFollowChangesWhileItIsBuilt() throws InvalidProtocolBufferException {
    put(ordered(Order.ORDER_OLDEST));
    for (int i = 1; i <= 2_000; i++) {
      insert("q", i);
    }
    UnsafeBuffer query =
        new UnsafeBuffer(
            TaskPosition.newBuilder().setId(Id.newBuilder().setLow(2_000)).build().toByteArray());
    PositionPage page = new PositionPage(query, 0, query.capacity());
    page.next();
    int removed = 0;
    // Every slice numbers 17 tasks; one behind, one ahead and the next one leave.
    for (int slice = 0; page.fill(machine, nowMs, EFFORT); slice++) {
      int numbered = 17 * (slice + 1) + removed / 2;
      for (int id : new int[] {numbered - 9, numbered + 30 + slice, numbered + 1}) {
        if (id < 2_000 && find(id) != null) {
          apply(modify(BOB).addDeletes(ref(id, 0)));
          removed++;
        }
      }
      insert("q", 3_000 + slice);
    }
    int ahead = 0;
    for (int i = 1; i < 2_000; i++) {
      if (find(i) != null) {
        assertThat(position(i).getPosition()).isEqualTo(ahead);
        ahead++;
      }
    }
    assertThat(removed).isGreaterThan(100);
    assertPosition(2_000, ahead, 0);
    assertPosition(3_000, ahead + 1, 0);
  }

  @Test
  void shouldForgetQueuesThatNobodyAsksAbout() {
    put(ordered(Order.ORDER_OLDEST));
    insert("q", 1);
    assertThat(ranks().size()).isZero();
    assertPosition(1, 0, 0);
    assertThat(ranks().size()).isEqualTo(1);
    assertThat(ranks().memoryBytes()).isPositive();
    for (int i = 0; i <= 33_000; i++) {
      insert("q", 2);
      apply(modify(BOB).addDeletes(ref(2, 0)));
    }
    assertThat(ranks().size()).isZero();
    assertPosition(1, 0, 0);
  }

  @Test
  void shouldFollowABoundedNumberOfQueues() {
    apply(
        modify(ANN)
            .addPolicyPuts(
                Policy.newBuilder()
                    .setKind(PolicyKind.POLICY_PREFIX)
                    .setName("q/")
                    .setOrder(Order.ORDER_OLDEST)));
    for (int i = 1; i <= 100; i++) {
      insert("q/" + i, i);
      assertPosition(i, 0, 0);
    }
    assertThat(ranks().size()).isEqualTo(64);
    assertPosition(1, 0, 0);
  }

  @Test
  void shouldAnswerQuicklyInALongQueue() {
    put(ordered(Order.ORDER_OLDEST));
    int tasks = 1_000_000;
    for (int i = 1; i <= tasks; i += 1_000) {
      var inserts = modify(ANN);
      for (int j = i; j < i + 1_000; j++) {
        inserts.addInserts(insert("q", j, nowMs));
      }
      apply(inserts);
    }
    int queue = queue(machine, "q");
    assertThat(machine.stores.ready.oldest(queue)).isNotEqualTo(Slab.NONE);
    assertPosition(tasks, tasks - 1, 0);
    Random random = new Random(1);
    long begun = System.nanoTime();
    for (int i = 0; i < 100_000; i++) {
      int id = 1 + random.nextInt(tasks);
      int task = machine.stores.tasks.find(0, id);
      assertThat(machine.stores.ready.prepareRanks(queue, 2)).isZero();
      if (machine.stores.ready.rank(queue, task) != id - 1) {
        throw new AssertionError(id);
      }
    }
    long each = (System.nanoTime() - begun) / 100_000;
    // Far above what it takes, and far below a walk.
    assertThat(each).isLessThan(200_000);
  }
}
