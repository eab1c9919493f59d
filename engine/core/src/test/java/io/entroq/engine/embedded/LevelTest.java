package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.TestLevel;
import io.entroq.engine.state.UnsupportedLevelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour level of a directory: what it opens with, and how it is raised. */
class LevelTest {
  private static final int OLD = Levels.MAX;
  private static final int NEW = TestLevel.LEVEL;

  @TempDir Path directory;

  private final TestLevel supported = TestLevel.support();

  @AfterEach
  void supportNoMore() {
    supported.close();
  }

  @Test
  void shouldBeginNewLogsAtTheNewestLevel() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      assertThat(queue.level()).isEqualTo(Levels.MAX);
    }
    try (DrivenEngine engine = DrivenEngine.open(directory)) {
      assertThat(engine.level()).isEqualTo(Levels.MAX);
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldKeepTheLevelOfAnOldLogUntilItIsRaisedForGood(Durability durability) {
    LogAtLevel.begin(directory, OLD);
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(durability).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      assertThat(queue.level()).isEqualTo(OLD);
      queue.modify(Modification.insert("inbox", "before")).orThrow();
    }
    EmbeddedEntroQ raised = EmbeddedEntroQ.open(config);
    try (raised) {
      assertThat(raised.level()).as("after opening it with this build").isEqualTo(OLD);
      raised.raiseLevel(NEW);
      assertThat(raised.level()).isEqualTo(NEW);
      if (durability == Durability.DISK) {
        assertThat(raised.engine().store().core().log().forcedSequence())
            .as("what was acknowledged is on the disk")
            .isEqualTo(3);
      }
      raised.modify(Modification.insert("inbox", "after")).orThrow();
    }
    try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config)) {
      assertThat(again.level()).isEqualTo(NEW);
      assertThat(again.tasks(TaskQuery.in("inbox"))).hasSize(2);
      assertThat(machine(again).historyDigest()).isEqualTo(machine(raised).historyDigest());
      assertThat(machine(again).contentDigest()).isEqualTo(machine(raised).contentDigest());
    }
  }

  @Test
  void shouldDoNothingWhenItIsTheLevelAlready() {
    LogAtLevel.begin(directory, OLD);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.raiseLevel(OLD);
      queue.raiseLevel(NEW);
      queue.raiseLevel(NEW);
      assertThat(queue.level()).isEqualTo(NEW);
      queue.time();
      assertThat(machine(queue).sequence()).as("one record for it").isEqualTo(2);
    }
  }

  @Test
  void shouldHavePoliciesOnceItIsRaisedToTheirLevel() {
    LogAtLevel.begin(directory, Levels.POLICIES - 1);
    QueuePolicy policy = QueuePolicy.of("inbox").inFlight(1);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.hasPolicies()).isFalse();
      for (int i = 0; i < 3; i++) {
        queue.modify(Modification.insert("inbox", "task " + i)).orThrow();
      }
      Task held = queue.tryClaim(Claim.from("inbox")).orElseThrow();
      for (Modification tooEarly :
          List.of(
              Modification.put(policy),
              Modification.pause(Policies.Target.queue("inbox"), Duration.ofHours(1)),
              Modification.fail(held, "no"),
              Modification.insert(Insert.into("inbox").expiresIn(Duration.ofHours(1))),
              Modification.insert(Insert.into("inbox").withTrace("00-trace-01")))) {
        assertRefused(() -> queue.modify(tooEarly).orThrow(), "behavior level 8");
      }
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(3).contains(held);

      queue.raiseLevel(Levels.POLICIES);
      assertThat(queue.hasPolicies()).isTrue();
      assertThat(queue.hasPools()).isFalse();
      queue.policies().put(policy);
      queue.modify(Modification.fail(held, "no")).orThrow();
      assertThat(queue.tryClaim(Claim.from("inbox"))).isPresent();

      Modification pool =
          Modification.put(QueuePolicy.of("tenants").pool(QueuePolicy.Fairness.ROUND_ROBIN));
      assertRefused(() -> queue.modify(pool).orThrow(), "pools and topics level 9");
      queue.raiseLevel(Levels.POOLS);
      assertThat(queue.hasPools()).isTrue();
      queue.modify(pool).orThrow();

      Modification takeBack = Modification.takeBack(queue.tasks(TaskQuery.in("inbox")).get(0));
      long sequence = machine(queue).sequence();
      assertRefused(() -> queue.modify(takeBack).orThrow(), "taking tasks back level 11");
      assertThat(machine(queue).sequence()).as("older builds cannot read it").isEqualTo(sequence);
      queue.raiseLevel(Levels.TAKE_BACK);
      queue.modify(takeBack).orThrow();
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.policies().get(policy.target()).orElseThrow().rules()).contains(policy);
      assertThat(queue.tryClaim(Claim.from("inbox"))).isEmpty();
    }
  }

  @Test
  void shouldRaiseOnceWhenSeveralAskForItAtATime() {
    LogAtLevel.begin(directory, OLD);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      List.of(1, 2, 3, 4).stream()
          .map(each -> CompletableFuture.runAsync(() -> queue.raiseLevel(NEW)))
          .toList()
          .forEach(CompletableFuture::join);
      assertThat(queue.level()).isEqualTo(NEW);
      queue.time();
      assertThat(machine(queue).sequence()).isEqualTo(2);
    }
  }

  @Test
  void shouldRefuseLevelsThatCannotBeHad() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
        DrivenEngine engine =
            DrivenEngine.open(EmbeddedConfig.inMemory().build(), (sequence, result) -> {})) {
      assertRefused(
          () -> queue.raiseLevel(13),
          "cannot raise the behavior level to 13: this build supports 7 to 12");
      supported.close();
      assertRefused(
          () -> queue.raiseLevel(12),
          "cannot raise the behavior level to 12: this build supports 7 to 11");
      assertRefused(
          () -> engine.raiseLevel(12),
          "cannot raise the behavior level to 12: this build supports 7 to 11");
      assertRefused(() -> queue.raiseLevel(1), "it is 11, and never goes down");
      assertRefused(() -> engine.raiseLevel(0), "it is 11, and never goes down");
      assertThat(queue.level()).isEqualTo(11);
      assertThat(engine.level()).isEqualTo(11);
    }
  }

  private static void assertRefused(Runnable raise, String why) {
    assertThatThrownBy(raise::run)
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining(why);
  }

  @Test
  void shouldRefuseToRaiseAfterClose() {
    LogAtLevel.begin(directory, OLD);
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory);
    queue.close();
    assertThatThrownBy(() -> queue.raiseLevel(NEW)).isInstanceOf(EntroQException.Closed.class);
    assertThat(queue.level()).isEqualTo(OLD);
  }

  @Test
  void shouldRaiseTheLevelOfADrivenEngineAndForceIt() {
    LogAtLevel.begin(directory, OLD);
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(Durability.DISK).build();
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      assertThat(engine.level()).isEqualTo(OLD);
      engine.raiseLevel(NEW);
      engine.raiseLevel(NEW);
      assertThat(engine.level()).isEqualTo(NEW);
      assertThat(engine.sequence()).isEqualTo(2);
      assertThat(engine.forcedSequence()).isEqualTo(2);
    }
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      assertThat(engine.level()).isEqualTo(NEW);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayWhichBuildIsNeededWhenALogAsksForANewerLevel(boolean isRaised) {
    supported.close();
    LogAtLevel.begin(directory, isRaised ? Levels.MAX : Levels.MAX + 1);
    if (isRaised) {
      LogAtLevel.raise(directory, Levels.MAX + 1);
    }
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
          .isInstanceOf(EntroQException.Storage.class)
          .hasRootCauseInstanceOf(UnsupportedLevelException.class)
          .hasMessageContaining(isRaised ? "Record 2 (RAISE_LEVEL)" : "Record 1 (GENESIS)")
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("asks for behavior level 12")
          .hasMessageContaining("supports 7 to 11;")
          .hasMessageContaining("open it with a build that supports level 12")
          .hasMessageContaining("Nothing was changed");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6})
  void shouldRefuseADirectoryOfALevelThatWasNeverReleased(int level) {
    LogAtLevel.begin(directory, level);
    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasRootCauseInstanceOf(UnsupportedLevelException.class)
        .hasMessageContaining("Record 1 (GENESIS) of the log in " + directory)
        .hasMessageContaining("asks for behavior level " + level)
        .hasMessageContaining("written by a build before the first release")
        .hasMessageContaining("Nothing was changed");
  }

  @Test
  void shouldWriteSnapshotsInTheFormatOfTheLevelAndNotOfTheBuild() {
    LogAtLevel.begin(directory, OLD);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      Manifest before = snapshot(queue);
      assertThat(before.level()).isEqualTo(OLD);
      assertThat(before.format()).isEqualTo(4);
      queue.raiseLevel(NEW);
      assertThat(snapshot(queue).format()).isEqualTo(5);
    }
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.level()).isEqualTo(NEW);
    }
    supported.close();
    assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining("open it with a build that supports level " + NEW);
  }

  private Manifest snapshot(EmbeddedEntroQ queue) {
    Await.until("the engine rests", queue.engine()::isAsleep);
    StateMachine machine = machine(queue);
    Manifest manifest =
        new SnapshotWriter(new SnapshotDirectory(directory, Forcer.DISK), 0)
            .write(machine.freeze(), sequence -> {}, () -> false, bytes -> {});
    machine.thaw();
    return manifest;
  }

  private static StateMachine machine(EmbeddedEntroQ queue) {
    return queue.engine().store().core().machine();
  }
}
