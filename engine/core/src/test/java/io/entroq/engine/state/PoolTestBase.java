package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.Tick;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A state machine at the behavior level of pools, and words for them. */
abstract class PoolTestBase extends PolicyTestBase {
  private long lastTask;
  private long lastClient;

  @Override
  @BeforeEach
  void begin() {
    apply(Genesis.newBuilder().setLogIdHigh(1).setSeed(7).setLevel(Levels.POOLS).build());
  }

  static Policy.Builder pool(String name, Fair fair) {
    return Policy.newBuilder().setName(name).setFair(fair);
  }

  static Policy.Builder prefix(String name) {
    return Policy.newBuilder().setKind(PolicyKind.POLICY_PREFIX).setName(name);
  }

  static Policy.Builder member(String name, int weight) {
    return Policy.newBuilder().setName(name).setWeight(weight).setOrder(Order.ORDER_OLDEST);
  }

  final Answer put(Policy.Builder... policies) {
    Modify.Builder modify = modify(ANN);
    for (Policy.Builder policy : policies) {
      modify.addPolicyPuts(policy);
    }
    return apply(modify);
  }

  /** Inserts tasks and returns the id of the last. */
  final long tasks(String queue, int count) {
    Modify.Builder modify = modify(ANN);
    for (int i = 0; i < count; i++) {
      modify.addInserts(insert(queue, ++lastTask, nowMs));
    }
    apply(modify);
    return lastTask;
  }

  /** Claims one task and returns it, or null. */
  final Shot take(String... names) {
    return take(LEASE_MS, names);
  }

  final Shot take(long leaseMs, String... names) {
    Answer answer = apply(claim(BOB, names).setLeaseMs(leaseMs));
    return answer.claimed.isEmpty() ? null : answer.claimed.get(0);
  }

  /** The queues from which so many claims get a task; the tasks stay in flight. */
  final List<String> starts(int count, String name) {
    List<String> queues = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Shot got = take(name);
      queues.add(got == null ? null : got.queue());
    }
    return queues;
  }

  final void delete(Shot task) {
    apply(modify(BOB).addDeletes(ref(task.id(), task.version())));
  }

  final void fail(Shot task, long delayMs) {
    apply(
        modify(BOB)
            .addFails(
                Fail.newBuilder()
                    .setId(task(task.id()))
                    .setVersion(task.version())
                    .setQueue(task.queue())
                    .setHasDelay(true)
                    .setDelayMs(delayMs)));
  }

  /** Parks a claim and returns its sequence. */
  final long park(String... names) {
    Claim.Builder claim = wait(request(++lastClient, 1), 0, names);
    assertThat(apply(claim)).as("answer to a claim that waits").isNull();
    return machine.sequence();
  }

  /** The queue of the task that a parked claim got in the last step, or null. */
  final String servedFrom(long sequence) {
    Answer answer = said.of(sequence);
    return answer == null ? null : answer.claimed.get(0).queue();
  }

  /** Time goes by, with all ticks that are due at their times. */
  final void ticks(long byMs) {
    long untilMs = nowMs + byMs;
    RecordingSink all = new RecordingSink();
    while (machine.nextDeadlineMs() <= untilMs) {
      nowMs = Math.max(nowMs, machine.nextDeadlineMs());
      apply(Tick.getDefaultInstance());
      all.answers.addAll(said.answers);
    }
    nowMs = untilMs;
    said = all;
  }
}
