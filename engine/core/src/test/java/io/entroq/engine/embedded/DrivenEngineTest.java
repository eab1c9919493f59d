package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrivenEngineTest {
  private static final Slice QUEUE = new Slice("q".getBytes(StandardCharsets.UTF_8));

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final IdFields me = new IdFields().set(0, 42);
  private final IdFields id = new IdFields();
  private final TaskDataFields data = new TaskDataFields();
  private final List<String> heard = new ArrayList<>();

  private DrivenEngine open(EmbeddedConfig.Builder config) {
    return DrivenEngine.open(
        config.clock(clock).build(),
        (sequence, result) ->
            heard.add(sequence + " " + result.code() + " " + result.claimedCount()));
  }

  private int insert(DrivenEngine engine, long low, long arrivalMs) {
    return insert(engine, "q", low, arrivalMs);
  }

  private int insert(DrivenEngine engine, String queue, long low, long arrivalMs) {
    data.clear();
    data.queue().wrap(queue.getBytes(StandardCharsets.UTF_8));
    data.arrivalMs(arrivalMs);
    engine.modify().claimant(me).insert(id.set(1, low), data);
    return engine.execute();
  }

  private static int waitForTask(DrivenEngine engine, long number, long deadlineMs) {
    engine
        .claim()
        .identity(7, 7, number, number)
        .queue(QUEUE)
        .leaseMs(1_000)
        .deadlineMs(deadlineMs)
        .waits(true);
    return engine.execute();
  }

  @Test
  void shouldInsertClaimAndDelete() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      assertThat(insert(engine, 5, 0)).isEqualTo(ResultCodes.OK);
      assertThat(engine.result().inserted(0).createdMs()).isEqualTo(engine.nowMs());

      engine.claim().claimant(me).queue(QUEUE).leaseMs(1_000);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      assertThat(engine.result().claimed(0).idLow()).isEqualTo(5);

      engine.modify().claimant(me).delete(id.set(1, 5), 1, data.queue());
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      assertThat(engine.taskCount()).isZero();
      engine.claim().claimant(me).queue(QUEUE).leaseMs(1_000);
      assertThat(engine.execute()).isEqualTo(ResultCodes.EMPTY);
    }
  }

  @Test
  void shouldLetAModifyGrowAfterItWasExecutedWhereThereIsNoLimit() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      insert(engine, 5, 0);
      ModifyEncoder begun = engine.modify().claimant(me).insert(id.set(1, 6), data);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);

      begun.delete(id.set(1, 5), 0, data.queue());
      assertThat(engine.execute()).isEqualTo(ResultCodes.DEPENDENCY);
      assertThat(engine.result().failureCount()).as("the insert, not the delete").isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7})
  void shouldSayWhatToDoWhenACallerSetsTheLimitHimself(long tasksMax) {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory().queueTasksMax(tasksMax))) {
      insert(engine, 5, 0);
      engine.modify().claimant(me).insert(id.set(1, 6), data).queueTasksMax(5);
      assertThatThrownBy(engine::execute)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the engine sets queueTasksMax of a modify")
          .hasMessageContaining("EmbeddedConfig.queueTasksMax");
      assertThat(engine.taskCount()).isEqualTo(1);

      assertThat(insert(engine, 6, 0)).isEqualTo(ResultCodes.OK);
      assertThat(engine.taskCount()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7})
  void shouldWritePolicies(long tasksMax) {
    try (DrivenEngine engine =
        open(EmbeddedConfig.inMemory().queueTasksMax(tasksMax).policiesMax(1))) {
      ModifyEncoder begun = put(engine, PolicyKinds.QUEUE, "q", 2);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      assertThat(engine.result().policyCount()).isEqualTo(1);
      assertThat(engine.execute()).as("once more").isEqualTo(ResultCodes.OK);

      begun.pause(PolicyKinds.QUEUE, QUEUE, 1);
      assertThatThrownBy(engine::execute)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Begin again with modify()");

      put(engine, PolicyKinds.QUEUE, "other", 2);
      assertThat(engine.execute()).isEqualTo(ResultCodes.TOO_MANY_POLICIES);
    }
  }

  @Test
  void shouldLimitQueuesOfAModifyThatAlsoWritesPolicies() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory().queueTasksMax(1))) {
      insert(engine, 5, 0);
      ModifyEncoder modify = engine.modify().claimant(me).insert(id.set(1, 6), data);
      modify.pause(PolicyKinds.QUEUE, QUEUE, 1);
      assertThat(engine.execute()).isEqualTo(ResultCodes.QUEUE_FULL);
    }
  }

  private static ModifyEncoder put(DrivenEngine engine, int kind, String name, int inFlightMax) {
    return put(engine, kind, name, inFlightMax, "");
  }

  private static ModifyEncoder put(
      DrivenEngine engine, int kind, String name, int inFlightMax, String limiter) {
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    PolicyEncoder policy = new PolicyEncoder().wrap(buffer, 0).kind(kind).name(slice(name));
    policy.inFlightMax(inFlightMax);
    if (!limiter.isEmpty()) {
      policy.limiter(slice(limiter));
    }
    return engine.modify().policyPut(buffer, 0, policy.length());
  }

  /** Its other queue turns out to be free of the limiter when the claim parks on it. */
  @Test
  void shouldReturnTheTasksOfAClaimThatParksAndIsServedInOneStep() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      put(engine, PolicyKinds.LIMITER, "x", 1);
      engine.execute();
      for (String name : List.of("q", "a")) {
        put(engine, PolicyKinds.QUEUE, name, 0, "x");
        engine.execute();
      }
      insert(engine, "q", 5, 0);
      insert(engine, "a", 6, 0);
      engine.claim().claimant(me).queue(slice("a")).leaseMs(1_000);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      put(engine, PolicyKinds.QUEUE, "a", 0);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);

      engine.claim().identity(7, 7, 1, 1).queue(QUEUE).queue(slice("a")).leaseMs(1_000).waits(true);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      assertThat(engine.result().claimed(0).idLow()).isEqualTo(5);
      assertThat(engine.waitingSequence()).isZero();
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void shouldGiveTheDirectoryFreeWhenItCannotBegin() {
    EmbeddedConfig config = EmbeddedConfig.in(directory).build();
    assertThatThrownBy(() -> DrivenEngine.open(config, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("listener");
    DrivenEngine.open(directory).close();
  }

  @Test
  void shouldTellTheListenerWhenAnInsertEndsAWait() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      assertThat(waitForTask(engine, 1, 0)).isEqualTo(DrivenEngine.WAITS);
      long sequence = engine.sequence();
      assertThatThrownBy(engine::result).isInstanceOf(IllegalStateException.class);

      assertThat(insert(engine, 5, 0)).isEqualTo(ResultCodes.OK);

      assertThat(heard).containsExactly(sequence + " " + ResultCodes.OK + " 1");
      assertThat(engine.result().insertedCount()).isEqualTo(1);
    }
  }

  @Test
  void shouldTellTheListenerWhenTimeEndsAWait() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      long now = engine.nowMs();
      waitForTask(engine, 1, now + 50);
      assertThat(engine.nextDeadlineMs()).isEqualTo(now + 50);
      engine.poll();
      assertThat(heard).isEmpty();

      clock.advance(Duration.ofMillis(50));
      engine.poll();

      assertThat(heard).containsExactly("2 " + ResultCodes.TIMED_OUT + " 0");
      assertThat(engine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void shouldLetDueThingsHappenBeforeACommand() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      insert(engine, 5, engine.nowMs() + 50);
      waitForTask(engine, 1, 0);
      clock.advance(Duration.ofMillis(50));

      engine.claim().claimant(me).queue(QUEUE).leaseMs(1_000);

      assertThat(engine.execute()).isEqualTo(ResultCodes.EMPTY);
      assertThat(heard).containsExactly("3 " + ResultCodes.OK + " 1");
    }
  }

  @Test
  void shouldForceWithEachCallAtLevelDiskUnlessTold() {
    EmbeddedConfig.Builder config = EmbeddedConfig.in(directory).durability(Durability.DISK);
    try (DrivenEngine engine = open(config)) {
      insert(engine, 1, 0);
      assertThat(engine.forcedSequence()).isEqualTo(engine.sequence());

      data.clear();
      data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
      engine.modify().claimant(me).insert(id.set(1, 2), data);
      engine.executeUnforced();
      assertThat(engine.forcedSequence()).isLessThan(engine.sequence());
      engine.force();
      assertThat(engine.forcedSequence()).isEqualTo(engine.sequence());
    }
    try (DrivenEngine engine = open(config)) {
      assertThat(engine.taskCount()).isEqualTo(2);
    }
  }

  @Test
  void shouldForceWhatWasDueAlsoWhenTheCommandMakesNoSense() {
    try (DrivenEngine engine = open(EmbeddedConfig.in(directory).durability(Durability.DISK))) {
      waitForTask(engine, 1, engine.nowMs() + 50);
      clock.advance(Duration.ofMillis(50));
      engine.claim().claimant(me);

      assertThatThrownBy(engine::execute).isInstanceOf(MalformedMessageException.class);

      assertThat(heard).hasSize(1);
      assertThat(engine.forcedSequence()).isEqualTo(engine.sequence());
    }
  }

  @Test
  void shouldGoOnAfterACommandThatMakesNoSense() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory())) {
      engine.claim().claimant(me);

      assertThatThrownBy(engine::execute).isInstanceOf(MalformedMessageException.class);

      assertThat(insert(engine, 1, 0)).isEqualTo(ResultCodes.OK);
    }
  }

  @Test
  void shouldRefuseACommandThatIsTooLong() {
    try (DrivenEngine engine = open(EmbeddedConfig.inMemory().commandBytesMax(2_000))) {
      data.clear();
      data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
      data.valueKind(1).value().wrap(new byte[2_000]);
      engine.modify().claimant(me).insert(id.set(1, 2), data);

      assertThatThrownBy(engine::execute)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("commandBytesMax");

      assertThat(insert(engine, 1, 0)).isEqualTo(ResultCodes.OK);
    }
  }

  @Test
  void shouldCloseTwice() {
    DrivenEngine engine = open(EmbeddedConfig.in(directory));
    engine.close();
    engine.close();
    open(EmbeddedConfig.in(directory)).close();
  }
}
