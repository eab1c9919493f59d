package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.engine.log.LogException;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.UnsupportedLevelException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour level of a directory: what it opens with, and how it is raised. */
@Timeout(60)
class LevelTest {
  @TempDir Path directory;

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
    LogAtLevel.begin(directory, 1);
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(durability).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      assertThat(queue.level()).isEqualTo(1);
      queue.modify(Modification.insert("inbox", "before")).orThrow();
    }
    EmbeddedEntroQ raised = EmbeddedEntroQ.open(config);
    try (raised) {
      assertThat(raised.level()).as("after opening it with this build").isEqualTo(1);
      raised.raiseLevel(2);
      assertThat(raised.level()).isEqualTo(2);
      if (durability == Durability.DISK) {
        assertThat(raised.engine().store().core().log().forcedSequence())
            .as("what was acknowledged is on the disk")
            .isEqualTo(3);
      }
      raised.modify(Modification.insert("inbox", "after")).orThrow();
    }
    try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config)) {
      assertThat(again.level()).isEqualTo(2);
      assertThat(again.tasks(TaskQuery.in("inbox"))).hasSize(2);
      assertThat(machine(again).historyDigest()).isEqualTo(machine(raised).historyDigest());
      assertThat(machine(again).contentDigest()).isEqualTo(machine(raised).contentDigest());
    }
  }

  @Test
  void shouldRefuseDocsUntilTheLevelIsRaised() {
    LogAtLevel.begin(directory, Levels.DOCS - 1);
    Modification modification =
        Modification.builder()
            .insert("inbox", "with docs")
            .insertDoc(DocInsert.into("users", "k"))
            .build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertRefused(() -> queue.modify(modification), "docs need behaviour level 4");
      assertRefused(() -> queue.claimDocs(DocClaim.of("users", "k")), "entroq level DIR --raise");
      queue.time();
      assertThat(machine(queue).sequence()).as("nothing is logged").isEqualTo(1);
      queue.raiseLevel(Levels.DOCS);
      assertThat(queue.modify(modification).orThrow().insertedDocs()).hasSize(1);
      assertThat(queue.claimDocs(DocClaim.of("users", "k")).orThrow()).hasSize(1);
    }
  }

  @Test
  void shouldDoNothingWhenItIsTheLevelAlready() {
    LogAtLevel.begin(directory, 1);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.raiseLevel(1);
      queue.raiseLevel(2);
      queue.raiseLevel(2);
      assertThat(queue.level()).isEqualTo(2);
      queue.time();
      assertThat(machine(queue).sequence()).as("one record for it").isEqualTo(2);
    }
  }

  @Test
  void shouldRaiseOnceWhenSeveralAskForItAtATime() {
    LogAtLevel.begin(directory, 1);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      List.of(1, 2, 3, 4).stream()
          .map(each -> CompletableFuture.runAsync(() -> queue.raiseLevel(2)))
          .toList()
          .forEach(CompletableFuture::join);
      assertThat(queue.level()).isEqualTo(2);
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
          () -> queue.raiseLevel(7), "behaviour level 7 cannot be had: this build supports 1 to 6");
      assertRefused(
          () -> engine.raiseLevel(7),
          "behaviour level 7 cannot be had: this build supports 1 to 6");
      assertRefused(() -> queue.raiseLevel(1), "the level is 6, and there is no way back");
      assertRefused(() -> engine.raiseLevel(0), "the level is 6, and there is no way back");
      assertThat(queue.level()).isEqualTo(6);
      assertThat(engine.level()).isEqualTo(6);
    }
  }

  private static void assertRefused(Runnable raise, String why) {
    assertThatThrownBy(raise::run)
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining(why);
  }

  @Test
  void shouldRefuseToRaiseAfterClose() {
    LogAtLevel.begin(directory, 1);
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory);
    queue.close();
    assertThatThrownBy(() -> queue.raiseLevel(2)).isInstanceOf(EntroQException.Closed.class);
    assertThat(queue.level()).isEqualTo(1);
  }

  @Test
  void shouldRaiseTheLevelOfADrivenEngineAndForceIt() {
    LogAtLevel.begin(directory, 1);
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(Durability.DISK).build();
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      assertThat(engine.level()).isEqualTo(1);
      engine.raiseLevel(2);
      engine.raiseLevel(2);
      assertThat(engine.level()).isEqualTo(2);
      assertThat(engine.sequence()).isEqualTo(2);
      assertThat(engine.forcedSequence()).isEqualTo(2);
    }
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      assertThat(engine.level()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayWhichBuildIsNeededWhenALogAsksForANewerLevel(boolean isRaised) {
    LogAtLevel.begin(directory, isRaised ? Levels.MAX : Levels.MAX + 1);
    if (isRaised) {
      LogAtLevel.raise(directory, Levels.MAX + 1);
    }
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> EmbeddedEntroQ.open(directory))
          .isInstanceOf(LogException.class)
          .hasCauseInstanceOf(UnsupportedLevelException.class)
          .hasMessageContaining(isRaised ? "Record 2 (RAISE_LEVEL)" : "Record 1 (GENESIS)")
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("asks for behaviour level 7")
          .hasMessageContaining("supports 1 to 6")
          .hasMessageContaining("open it with a build that supports level 7")
          .hasMessageContaining("Nothing was changed");
    }
  }

  private static StateMachine machine(EmbeddedEntroQ queue) {
    return queue.engine().store().core().machine();
  }
}
