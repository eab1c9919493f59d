package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.Tick;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random commands on pools: each start is the one of a {@link PoolReference} that scans everything,
 * at the same time, also after the machine was loaded from an image. To run one seed again, pass it
 * as {@code -Dpools.seed}; more of them, with {@code -Dpools.seeds}.
 */
@Timeout(300)
class PoolModelTest extends PolicyTestBase {
  private static final int STEPS = 250;

  private static final List<String> NAMES =
      List.of(
          "a", "a/1", "a/2", "a/3", "a/1/x", "a/1/y", "a/2/x", "a/1/x/i", "a/err", "b", "b/1",
          "b/2", "c/k", "c/l", "c");

  private static final String[] LIMITERS = {"m", "n"};

  /** Takes back what others hold. */
  private static final Id OPERATOR = task(9_999);

  private Random random = new Random();
  private PoolReference model;
  private StateMachine copy;
  private long lastTask;
  private long lastNumber;
  private boolean changesShapes;

  static List<Long> seeds() {
    Long one = Long.getLong("pools.seed");
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= Integer.getInteger("pools.seeds", 12); seed++) {
      seeds.add(seed);
    }
    return one == null ? seeds : List.of(one);
  }

  @Override
  @BeforeEach
  void begin() {
    apply(Genesis.newBuilder().setLogIdHigh(1).setSeed(7).setLevel(Levels.MAX).build());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldStartWhatTheReferenceStarts(long seed) {
    random = new Random(seed);
    changesShapes = seed % 2 == 0;
    nowMs = machine.logTimeMs();
    model = new PoolReference(NAMES, machine.stores.random.state());
    model.nowMs = nowMs;
    firstPolicies();
    for (int i = 0; i < STEPS; i++) {
      try {
        goOn();
        command();
        if (copy != null && random.nextInt(40) == 0) {
          copy.close();
          copy = null;
        } else if (copy == null && random.nextInt(15) == 0) {
          copy = reloaded();
        }
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed + ", step " + i + ": " + lastCommand, e);
      }
    }
    if (copy != null) {
      copy.close();
    }
  }

  private void firstPolicies() {
    Modify.Builder modify = modify(ANN);
    for (String prefix : List.of("a", "b")) {
      Policy policy =
          Policy.newBuilder()
              .setKind(PolicyKind.POLICY_PREFIX)
              .setName(prefix)
              .setOrder(Order.ORDER_OLDEST)
              .build();
      model.prefixes.put(prefix, policy);
      modify.addPolicyPuts(policy);
    }
    // FIFO groups.
    Policy groups =
        Policy.newBuilder()
            .setKind(PolicyKind.POLICY_PREFIX)
            .setName("c")
            .setOrder(Order.ORDER_STRICT)
            .setInFlightMax(1)
            .build();
    model.prefixes.put("c", groups);
    modify.addPolicyPuts(groups);
    for (String root : List.of("a", "b", "c")) {
      Policy policy = pool(root).setPoolDepth(root.equals("a") ? 3 : 1).build();
      model.exact.put(root, policy);
      modify.addPolicyPuts(policy);
    }
    // No prefix applies to it.
    Policy dead = Policy.newBuilder().setName("a/err").setOrder(Order.ORDER_OLDEST).build();
    model.exact.put("a/err", dead);
    modify.addPolicyPuts(dead);
    step(modify.build());
  }

  private Policy.Builder pool(String name) {
    Policy.Builder policy = Policy.newBuilder().setName(name).setFairValue(1 + random.nextInt(3));
    policy.setOrder(name.equals("c") ? Order.ORDER_STRICT : Order.ORDER_OLDEST);
    if (name.equals("c")) {
      policy.setInFlightMax(1);
    }
    if (random.nextInt(3) == 0) {
      policy.setPoolInFlightMax(1 + random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      policy
          .setPoolRateLimit(1 + random.nextInt(5))
          .setPoolRatePeriodMs(1 + random.nextInt(40))
          .setPoolRateBurst(random.nextInt(3));
    }
    policy.setWeight(random.nextInt(5)).setRank(random.nextInt(3));
    return policy;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  // Time.

  private void goOn() {
    for (int left = random.nextInt(3) == 0 ? random.nextInt(25) : 0; left > 0; left--) {
      nowMs++;
      tick();
      model.nowMs = nowMs;
      assertServed();
    }
  }

  /** What is due goes before any command; each tick is followed by the reference. */
  private void tick() {
    model.nowMs = nowMs;
    for (int i = 0; machine.nextDeadlineMs() <= nowMs; i++) {
      assertThat(i).as("ticks at one time").isLessThan(50);
      model.settle();
      step(Tick.getDefaultInstance());
    }
    model.settle();
  }

  private void assertServed() {
    model.settle();
    for (PoolReference.Parked claim : model.parked.values()) {
      assertThat(model.isServable(claim)).as("claim %s could be served", claim).isFalse();
    }
  }

  private void step(Message command) {
    apply(command);
    if (copy != null) {
      RecordingSink other = applyTo(copy, lastCommand);
      assertThat(other.answers).hasSameSizeAs(said.answers);
      assertSame(copy);
    } else {
      assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    }
    followServed();
    if (!(command instanceof Tick) || machine.nextDeadlineMs() > nowMs) {
      assertServed();
    }
    model.settle();
    assertThat(machine.stores.random.state()).as("draws").isEqualTo(model.random.state());
  }

  /** Each task that a claim got is of the queue that the reference chooses. */
  private void follow(Answer answer, List<String> names, int limit, long leaseMs) {
    List<String> got = answer.claimed.stream().map(Shot::queue).toList();
    int count = 0;
    List<String> chosen = new ArrayList<>();
    String queue = model.choose(names);
    while (queue != null) {
      chosen.add(queue);
      if (count == got.size()) {
        break;
      }
      assertThat(got.get(count)).as("chosen of %s", names).isEqualTo(queue);
      model.started(queue, answer.claimed.get(count).id(), leaseMs);
      count++;
      queue = count < limit ? model.choose(names) : null;
    }
    assertThat(got).isEqualTo(chosen);
    if (leaseMs == 0) {
      answer.claimed.forEach(task -> model.returned(task.id()));
    }
  }

  // Commands.

  private void command() {
    tick();
    int kind = random.nextInt(100);
    if (kind < 30) {
      inserts();
    } else if (kind < 55) {
      claims();
    } else if (kind < 80) {
      ends();
    } else if (kind < 93) {
      writes();
    } else {
      pauses();
    }
  }

  private void inserts() {
    Modify.Builder modify = modify(ANN);
    for (int i = random.nextInt(3); i >= 0; i--) {
      String queue = any(NAMES);
      long dueMs = nowMs + (random.nextInt(3) == 0 ? random.nextInt(30) : 0);
      modify.addInserts(insert(queue, ++lastTask, dueMs));
      model.tasks.put(lastTask, new PoolReference.Task(lastTask, queue, dueMs));
    }
    step(modify.build());
  }

  /** The name of a queue, often of a pool or below it. */
  private List<String> names() {
    String first = any(NAMES);
    List<String> names = new ArrayList<>(List.of(first));
    String parent = PoolReference.parentName(first);
    if (random.nextInt(4) == 0) {
      names.add(any(NAMES));
    } else if (parent != null && random.nextBoolean()) {
      names.add(random.nextInt(2), parent);
    }
    return names.stream().distinct().toList();
  }

  private void claims() {
    List<String> names = names();
    int limit = 1 + random.nextInt(3);
    long leaseMs = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(40);
    if (random.nextInt(4) == 0) {
      Claim.Builder claim =
          claim(BOB, names.toArray(String[]::new)).setLimit(limit).setLeaseMs(leaseMs);
      fresh(claim.build(), names, limit, leaseMs);
      return;
    }
    Claim.Builder claim =
        wait(request(1 + random.nextInt(3), ++lastNumber), 0, names.toArray(String[]::new))
            .setLimit(limit)
            .setLeaseMs(leaseMs);
    claim.getIdentityBuilder().setClientLow(lastNumber).setNumber(1);
    fresh(claim.build(), names, limit, leaseMs);
  }

  /** The engine orders the queues of a parked claim anew. */
  private void fresh(Claim claim, List<String> names, int limit, long leaseMs) {
    boolean isEmpty = model.isEmpty(names);
    apply(claim);
    Answer answer = said.of(machine.sequence());
    if (copy != null) {
      applyTo(copy, lastCommand);
      assertSame(copy);
    }
    if (isEmpty && claim.getWait()) {
      assertThat(answer).as("answer to a claim that waits").isNull();
      List<String> reversed = new ArrayList<>(names);
      Collections.reverse(reversed);
      model.parked.put(
          machine.sequence(),
          new PoolReference.Parked(machine.sequence(), reversed, limit, leaseMs));
    } else {
      assertThat(answer.code).isEqualTo(isEmpty ? ResultCodes.EMPTY : ResultCodes.OK);
      follow(answer, names, limit, leaseMs);
    }
    // A lease of 0 makes tasks available for others at once.
    followServed();
    assertServed();
  }

  private void followServed() {
    for (Answer answer : said.answers) {
      PoolReference.Parked claim = model.parked.get(answer.requestSequence);
      if (claim != null && !answer.claimed.isEmpty()) {
        model.settle();
        if (!model.isOldestOutsidePools(claim)) {
          assertThat(claim).as("the claim that is served").isEqualTo(model.oldestOfPools());
        }
        follow(answer, claim.names(), claim.limit(), claim.leaseMs());
        model.parked.remove(claim.sequence());
      }
    }
  }

  private void ends() {
    if (model.tasks.isEmpty()) {
      return;
    }
    List<PoolReference.Task> held =
        model.tasks.values().stream().filter(task -> task.isInFlight).toList();
    PoolReference.Task task =
        held.isEmpty() || random.nextInt(6) == 0
            ? any(new ArrayList<>(model.tasks.values()))
            : any(held);
    Shot shot = find(task.id);
    Modify.Builder modify = modify(task(shot.claimant()));
    int kind = task.isInFlight ? random.nextInt(5) : 0;
    switch (kind) {
      case 0, 1 -> {
        modify.addDeletes(
            TaskRef.newBuilder()
                .setId(task(task.id))
                .setVersion(shot.version())
                .setQueue(task.queue));
        model.tasks.remove(task.id);
      }
      case 2 -> {
        long delayMs = random.nextInt(20);
        modify.addFails(
            Fail.newBuilder()
                .setId(task(task.id))
                .setVersion(shot.version())
                .setQueue(task.queue)
                .setHasDelay(true)
                .setDelayMs(delayMs));
        task.isInFlight = false;
        task.isInFront = true;
        task.dueMs = nowMs + delayMs;
      }
      default -> {
        long byMs = kind == 3 ? 0 : 1 + random.nextInt((int) Math.max(1, task.dueMs - nowMs));
        if (byMs == 0 && random.nextBoolean()) {
          modify.setClaimant(OPERATOR).addChanges(takeBack(task.queue, task.id, shot.version()));
        } else {
          modify.addChanges(
              Change.newBuilder()
                  .setId(task(task.id))
                  .setVersion(shot.version())
                  .setFromQueue(task.queue)
                  .setMode(ChangeMode.CHANGE_LEASE)
                  .setData(TaskData.newBuilder().setQueue(task.queue).setByMs(byMs)));
        }
        if (byMs == 0) {
          task.isInFlight = false;
          task.isInFront = true;
          task.dueMs = nowMs;
        } else {
          task.dueMs = nowMs + byMs;
        }
      }
    }
    step(modify.build());
  }

  private void writes() {
    Modify.Builder modify = modify(ANN);
    int kind = random.nextInt(6);
    if (kind == 0) {
      String name = any(List.of(LIMITERS));
      Policy.Builder policy = Policy.newBuilder().setKind(PolicyKind.POLICY_LIMITER).setName(name);
      if (random.nextBoolean()) {
        policy.setRateLimit(1 + random.nextInt(4)).setRatePeriodMs(1 + random.nextInt(30));
      }
      if (!changesShapes && random.nextBoolean()) {
        policy.setInFlightMax(1 + random.nextInt(3));
      }
      model.limiters.put(name, policy.build());
      modify.addPolicyPuts(policy);
    } else if (kind == 1) {
      Policy.Builder policy = member(any(List.of("a", "b", "a/1")));
      policy.setKind(PolicyKind.POLICY_PREFIX);
      model.prefixes.put(policy.getName(), policy.build());
      modify.addPolicyPuts(policy);
    } else if (kind == 2) {
      Policy.Builder policy = pool(any(List.of("a", "b", "c")));
      if (policy.getName().equals("a")) {
        policy.setPoolDepth(changesShapes ? random.nextInt(4) : 3);
      }
      model.exact.put(policy.getName(), policy.build());
      modify.addPolicyPuts(policy);
    } else if (kind == 3) {
      String name = any(List.of("a/1", "a/2", "a/1/x", "a/1/y", "a/3", "b/1", "b/2"));
      Policy.Builder policy =
          changesShapes && name.equals("a/2") && random.nextBoolean() ? pool(name) : member(name);
      model.exact.put(policy.getName(), policy.build());
      modify.addPolicyPuts(policy);
    } else {
      List<String> names = model.exact.keySet().stream().sorted().toList();
      String name = any(names);
      if (List.of("a", "b", "c", "a/err").contains(name) && !(changesShapes && name.equals("b"))) {
        return;
      }
      model.exact.remove(name);
      modify.addPolicyDeletes(
          PolicyRef.newBuilder().setKind(PolicyKind.POLICY_QUEUE).setName(name));
      // A delete removes the pause, too.
      model.pausedUntil.remove("0" + name);
    }
    step(modify.build());
  }

  private Policy.Builder member(String name) {
    Policy.Builder policy = Policy.newBuilder().setName(name).setOrder(Order.ORDER_OLDEST);
    // Outside of pools a queue follows new policies only when it is touched.
    if (!changesShapes && random.nextBoolean()) {
      policy.setInFlightMax(1 + random.nextInt(3));
    }
    if (random.nextInt(3) == 0) {
      policy.setRateLimit(1 + random.nextInt(4)).setRatePeriodMs(1 + random.nextInt(30));
    }
    for (String limiter : LIMITERS) {
      if (random.nextInt(3) == 0) {
        policy.addLimiters(limiter);
      }
    }
    return policy.setWeight(random.nextInt(6)).setRank(random.nextInt(3));
  }

  private void pauses() {
    int kind = random.nextInt(3);
    String name =
        kind == 0 ? any(NAMES) : kind == 1 ? any(List.of("a", "b", "a/1")) : any(List.of(LIMITERS));
    long ms = random.nextInt(2) == 0 ? 0 : random.nextInt(8) == 0 ? -1 : random.nextInt(25);
    if (kind == 2 && !model.limiters.containsKey(name)) {
      return;
    }
    model.pausedUntil.put(kind + name, ms < 0 ? Long.MAX_VALUE : nowMs + ms);
    step(
        modify(ANN)
            .addPauses(Pause.newBuilder().setKindValue(kind).setName(name).setPauseMs(ms))
            .build());
  }
}
