package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the level of a log changes, and how it is raised: by a level that only tests have. */
class LevelsTest extends StateTestBase {
  private static final int MIB = 1 << 20;

  /** A step's 8 MiB, in tasks of this size; half as many at the test level. */
  private static final int TASKS_PER_STEP = 4;

  private static final ByteString VALUE = ByteString.copyFrom(new byte[2 * MIB]);

  private final TestLevel supported = TestLevel.support();

  @AfterEach
  void supportNoMore() {
    supported.close();
  }

  private void raise() {
    assertThat(raiseLevel(TestLevel.LEVEL).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldLeaveToTheNextTickWhatComesAfterEightMebibytes() {
    assertStepAssigns(TASKS_PER_STEP);
  }

  @Test
  void shouldLeaveToTheNextTickWhatComesAfterHalfOfItOnceTheLevelIsRaised() {
    raise();
    assertStepAssigns(TASKS_PER_STEP / 2);
  }

  private void assertStepAssigns(int tasks) {
    park(6, 1);
    insertHeavy(6, nowMs);
    assertThat(said.answers).hasSize(1 + tasks);
    int left = 6 - tasks;
    while (left > 0) {
      assertThat(machine.nextDeadlineMs()).as("more to do at once").isLessThanOrEqualTo(nowMs);
      apply(Tick.getDefaultInstance());
      assertThat(said.answers).hasSize(Math.min(left, tasks));
      left -= said.answers.size();
    }
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldGiveAClaimWhatTheStepHasLeft() {
    park(1, 1, 3);
    park(2, 2, 1_000);
    insertHeavy(6, nowMs);
    assertThat(said.answers).extracting(answer -> answer.claimed.size()).containsExactly(0, 3, 1);
    apply(Tick.getDefaultInstance());
    assertThat(said.answers).extracting(answer -> answer.claimed.size()).containsExactly(2);
  }

  @Test
  void shouldCountErrorTextsAmongTheBytesOfAStep() {
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
  @ValueSource(booleans = {false, true})
  void shouldAssignAtLeastOneTaskPerStepHoweverLarge(boolean isRaised) {
    if (isRaised) {
      raise();
    }
    park(1, 1);
    ByteString large = ByteString.copyFrom(new byte[9 * MIB]);
    apply(modify(ANN).addInserts(heavy(1, nowMs, large)));
    assertThat(said.answers).hasSize(2);
  }

  @Test
  void shouldHoldFromTheRecordAfterTheOneThatRaisesIt() {
    park(4, 1);
    insertHeavy(4, nowMs + 10);
    nowMs += 10;
    raise();
    assertThat(said.answers).as("served by the rules before").hasSize(4 + 1);
    assertThat(machine.level()).isEqualTo(TestLevel.LEVEL);
  }

  @ParameterizedTest
  @ValueSource(ints = {Levels.MAX, Levels.TEST})
  void shouldRefuseALevelThatIsNotAboveThePresentOne(int level) {
    raise();
    assertThat(raiseLevel(level).code).isEqualTo(ResultCodes.LEVEL_REFUSED);
    assertThat(machine.level()).isEqualTo(TestLevel.LEVEL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, Levels.MAX})
  void shouldRefuseALevelThatIsNotAboveTheOneOfNewLogs(int level) {
    assertThat(raiseLevel(level).code).isEqualTo(ResultCodes.LEVEL_REFUSED);
    assertThat(machine.level()).isEqualTo(Levels.MAX);
  }

  @Test
  void shouldNameALevelThatThisBuildDoesNotHaveAndChangeNothing() {
    long history = machine.historyDigest();
    assertThatThrownBy(() -> raiseLevel(Levels.TEST + 1))
        .isInstanceOf(UnsupportedLevelException.class)
        .hasMessageContaining("supports 7 to 12");
    supported.close();
    assertThatThrownBy(() -> raiseLevel(Levels.TEST))
        .isInstanceOf(UnsupportedLevelException.class)
        .hasMessage(
            "the log asks for behavior level 12, and this build supports 7 to 11; open it with a build that"
                + " supports level 12");
    assertThat(machine.historyDigest()).isEqualTo(history);
    assertThat(machine.sequence()).isEqualTo(1);
    assertThat(insert("q", 1).code).isEqualTo(ResultCodes.OK);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void shouldRefuseLogsOfLevelsThatWereNeverReleased(int level) {
    try (StateMachine older = new StateMachine(StateMachineConfig.DEFAULT)) {
      assertThatThrownBy(() -> applyTo(older, Genesis.newBuilder().setLevel(level).build()))
          .isInstanceOf(UnsupportedLevelException.class)
          .hasMessage(
              "the log asks for behavior level %d, and this build supports 7 to 12; it was written by a"
                  + " build before the first release: to keep its tasks, serve it with that build,"
                  + " and import them from there into a new directory",
              level);
      assertThat(older.sequence()).isZero();
    }
  }

  @Test
  void shouldWriteImagesInTheFormatOfTheLevelAndNotOfTheBuild() {
    assertThat(formatOfImage()).isEqualTo(4);
    raise();
    assertThat(formatOfImage()).isEqualTo(5);
  }

  private int formatOfImage() {
    int[] format = new int[1];
    machine
        .freeze()
        .writeTo(
            (kind, items, buffer, offset, length) -> {
              if (kind == ChunkKinds.HEAD) {
                format[0] = buffer.getInt(offset + 4);
              }
            });
    machine.thaw();
    return format[0];
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
