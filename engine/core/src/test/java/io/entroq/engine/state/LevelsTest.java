package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the level of a log changes, and how it is raised. */
class LevelsTest extends StateTestBase {
  private static final int MIB = 1 << 20;

  /** A step's 8 MiB, in tasks of this size. */
  private static final int TASKS_PER_STEP = 4;

  private static final ByteString VALUE = ByteString.copyFrom(new byte[2 * MIB]);

  @Test
  void shouldAssignAnyNumberOfBytesInOneStepAtLevelOne() {
    park(6, 1);
    insertHeavy(6, nowMs);
    assertThat(said.answers).hasSize(1 + 6);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldLeaveToTheNextTickWhatComesAfterEightMebibytesAtLevelTwo() {
    raiseLevel(2);
    park(6, 1);
    insertHeavy(6, nowMs);
    assertThat(said.answers).hasSize(1 + TASKS_PER_STEP);
    assertThat(machine.nextDeadlineMs()).as("more to do at once").isLessThanOrEqualTo(nowMs);

    apply(Tick.getDefaultInstance());
    assertThat(said.answers).hasSize(6 - TASKS_PER_STEP);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldGiveAClaimWhatTheStepHasLeftAtLevelTwo() {
    raiseLevel(2);
    park(1, 1, 3);
    park(2, 2, 1_000);
    insertHeavy(6, nowMs);
    assertThat(said.answers).extracting(answer -> answer.claimed.size()).containsExactly(0, 3, 1);
    apply(Tick.getDefaultInstance());
    assertThat(said.answers).extracting(answer -> answer.claimed.size()).containsExactly(2);
  }

  @Test
  void shouldCountErrorTextsAmongTheBytesOfAStepAtLevelTwo() {
    raiseLevel(2);
    park(3, 1);
    String err = "e".repeat(4 * MIB);
    Modify.Builder modify = modify(ANN);
    for (int i = 1; i <= 3; i++) {
      modify.addInserts(
          Insert.newBuilder().setId(task(i)).setData(data("q", nowMs).toBuilder().setErr(err)));
    }
    apply(modify);
    assertThat(said.answers).hasSize(1 + 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldPassOverALimitOnQueuesBelowLevelThree(int level) {
    if (level > machine.level()) {
      raiseLevel(level);
    }
    insert("q", 1);
    Modify.Builder second = modify(ANN).addInserts(insert("q", 2, nowMs)).setQueueTasksMax(1);
    assertThat(apply(second).code).isEqualTo(ResultCodes.OK);
    raiseLevel(3);
    Modify.Builder third = modify(ANN).addInserts(insert("q", 3, nowMs)).setQueueTasksMax(1);
    assertThat(apply(third).code).isEqualTo(ResultCodes.QUEUE_FULL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldAssignAtLeastOneTaskPerStepHoweverLarge(int level) {
    if (level > machine.level()) {
      raiseLevel(level);
    }
    park(1, 1);
    ByteString large = ByteString.copyFrom(new byte[9 * MIB]);
    apply(modify(ANN).addInserts(heavy(1, nowMs, large)));
    assertThat(said.answers).hasSize(2);
  }

  @Test
  void shouldHoldFromTheRecordAfterTheOneThatRaisesIt() {
    park(6, 1);
    insertHeavy(6, nowMs + 10);
    nowMs += 10;
    assertThat(raiseLevel(2).code).isEqualTo(ResultCodes.OK);
    assertThat(said.answers).as("served at level 1 still").hasSize(6 + 1);
    assertThat(machine.level()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldRefuseALevelThatIsNotAboveThePresentOne(int level) {
    raiseLevel(2);
    assertThat(raiseLevel(level).code).isEqualTo(ResultCodes.LEVEL_REFUSED);
    assertThat(machine.level()).isEqualTo(2);
  }

  @Test
  void shouldNameALevelThatThisBuildDoesNotHaveAndChangeNothing() {
    long history = machine.historyDigest();
    assertThatThrownBy(() -> raiseLevel(Levels.MAX + 1))
        .isInstanceOf(UnsupportedLevelException.class)
        .hasMessageContaining("behaviour level 7")
        .hasMessageContaining("supports 1 to 6")
        .hasMessageContaining("open it with a build that supports level 7");
    assertThat(machine.historyDigest()).isEqualTo(history);
    assertThat(machine.sequence()).isEqualTo(1);
    assertThat(insert("q", 1).code).isEqualTo(ResultCodes.OK);
  }

  /** Claims of as many clients, each for so many tasks. */
  private void park(int clients, int limit) {
    park(1, clients, limit);
  }

  private void park(int first, int clients, int limit) {
    for (int client = first; client < first + clients; client++) {
      assertThat(apply(wait(request(client, 1), NEVER, "q").setLimit(limit))).isNull();
    }
  }

  private void insertHeavy(int count, long arrivalMs) {
    Modify.Builder modify = modify(ANN);
    for (int i = 1; i <= count; i++) {
      modify.addInserts(heavy(i, arrivalMs, VALUE));
    }
    apply(modify);
  }

  private static Insert.Builder heavy(int id, long arrivalMs, ByteString value) {
    TaskData.Builder data = data("q", arrivalMs).toBuilder();
    data.setValueKind(ValueKind.VALUE_BYTES).setValue(value);
    return Insert.newBuilder().setId(task(id)).setData(data);
  }
}
