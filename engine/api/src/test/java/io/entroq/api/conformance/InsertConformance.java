package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How tasks come into being. */
abstract class InsertConformance {
  private final EntroQConformance suite;

  InsertConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @Test
  void shouldBeginAtVersionZeroWithoutAClaimantWhenAvailableAtOnce() {
    Instant now = suite.queue().time();

    Task task = suite.insert("inbox", "hello");

    assertThat(task.version()).isZero();
    assertThat(task.claims()).isZero();
    assertThat(task.attempt()).isZero();
    assertThat(task.err()).isEmpty();
    assertThat(task.queue()).isEqualTo("inbox");
    assertThat(task.text()).isEqualTo("hello");
    assertThat(task.claimant()).isEmpty();
    assertThat(task.created()).isEqualTo(task.modified()).isEqualTo(task.arrivalTime());
    suite.assertTime(task.created(), now);
  }

  @Test
  void shouldNameTheInserterAsClaimantUntilTheTaskIsAvailable() {
    Task task = suite.insert(Insert.into("inbox").availableIn(Duration.ofMinutes(5)));

    assertThat(task.claimant()).isEqualTo(suite.queue().claimant()).isNotEmpty();
  }

  @Test
  void shouldReadBackWhatWasInserted() {
    Task task =
        suite.insert(
            Insert.into("inbox")
                .withId("a-name")
                .withValue("v")
                .withAttempt(3, "it was tried before")
                .availableIn(Duration.ofMinutes(5)));

    assertThat(suite.read(TaskId.of("a-name"))).isEqualTo(task);
    assertThat(task.attempt()).isEqualTo(3);
    assertThat(task.err()).isEqualTo("it was tried before");
    suite.assertTime(task.arrivalTime(), suite.queue().time().plus(Duration.ofMinutes(5)));
  }

  @Test
  void shouldAnswerInTheOrderOfTheRequest() {
    ModifyResult.Committed result =
        suite
            .queue()
            .modify(
                Modification.builder()
                    .insert("c", "1")
                    .insert(Insert.into("a").withId("named").withValue("2"))
                    .insert("b", "3")
                    .build())
            .orThrow();

    assertThat(result.inserted()).extracting(Task::text).containsExactly("1", "2", "3");
    assertThat(result.inserted()).extracting(Task::id).doesNotHaveDuplicates();
  }

  @Test
  void shouldKeepIdsOfEveryForm() {
    List<String> names =
        List.of(
            "0123456789abcdef",
            "0123456789ABCDEF",
            "0000000000000000",
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
            "00000000-0000-0000-0123-456789abcdef",
            "00000000-0000-0000-0000-000000000000",
            "x",
            "ein Gruß aus 東京 🚀",
            "n".repeat(64));

    for (String name : names) {
      assertThat(suite.insert(Insert.into("inbox").withId(name)).id().text()).isEqualTo(name);
      assertThat(suite.read(TaskId.of(name)).id().text()).isEqualTo(name);
    }
    assertThat(suite.queue().tasks(TaskQuery.in("inbox"))).hasSize(names.size());
  }

  @Test
  void shouldTellAbsentFromEmptyFromNull() {
    Value jsonNull = Value.wrap(Value.Kind.JSON, new byte[] {8, 0});
    for (Value value : List.of(Value.absent(), Value.bytes(new byte[0]), jsonNull)) {
      Task task = suite.insert(Insert.into("inbox").withValue(value));

      assertThat(task.value()).isEqualTo(value);
      assertThat(suite.read(task.id()).value()).isEqualTo(value);
      assertThat(suite.claimNow("inbox").value()).isEqualTo(value);
    }
  }

  @Test
  void shouldKeepBytesOfAnyKindAndSize() {
    Random random = new Random(7);
    for (int size : new int[] {1, 63, 64, 1_000, 100_000, 1_000_000}) {
      byte[] bytes = new byte[size];
      random.nextBytes(bytes);

      Task task = suite.insert(Insert.into("inbox").withValue(Value.bytes(bytes)));

      assertThat(suite.read(task.id()).value()).isEqualTo(Value.bytes(bytes));
    }
  }

  @Test
  void shouldNotBeClaimableBeforeItsArrival() {
    suite.insert(Insert.into("inbox").availableIn(EntroQConformance.LEASE));

    suite.advanceAlmost(EntroQConformance.LEASE);
    assertThat(suite.tryClaim("inbox")).isEmpty();
    suite.advanceTheRest();
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldKeepAnArrivalInThePastUnlessItIsOlderThanAYear() {
    Instant now = suite.queue().time();
    Instant before = now.minusSeconds(2);
    Instant longAgo = now.minus(Duration.ofDays(366));

    suite.assertTime(suite.insert(Insert.into("inbox").availableAt(before)).arrivalTime(), before);
    suite.assertTime(suite.insert(Insert.into("inbox").availableAt(longAgo)).arrivalTime(), now);
    suite.assertTime(
        suite.insert(Insert.into("inbox").availableAt(Instant.EPOCH)).arrivalTime(), now);
  }

  @Test
  void shouldCollideWhenTheIdIsTakenInAnyQueue() {
    Task first = suite.insert(Insert.into("inbox").withId("x"));
    Task claimed = suite.claimNow("inbox");

    ModifyResult.DependencyFailure failure =
        suite.failure(
            Modification.insert(
                Insert.into("elsewhere").withId("x"), Insert.into("elsewhere").withId("y")));

    assertThat(failure.collisions()).containsExactly(new TaskRef(first.id(), 1, "inbox"));
    assertThat(failure.onlyCollisions()).isTrue();
    assertThat(failure.hasMissing()).isFalse();
    assertThat(suite.find(TaskId.of("y"))).isEmpty();
    assertThat(suite.read(first.id())).isEqualTo(claimed);
  }

  @Test
  void shouldRefuseToInsertATaskThatTheSameRequestDeletes() {
    Task task = suite.insert(Insert.into("inbox").withId("x"));
    Modification both =
        Modification.delete(task).and(Modification.insert(Insert.into("inbox").withId("x")));

    assertThatThrownBy(() -> suite.queue().modify(both))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThat(suite.find(task.id())).contains(task);
  }

  @Test
  void shouldBeginAnewWhenAnIdIsUsedAgain() {
    Task task = suite.insert(Insert.into("inbox").withId("x"));
    suite.queue().modify(Modification.delete(task)).orThrow();

    assertThat(suite.insert(Insert.into("inbox").withId("x")).version()).isZero();
  }

  @Test
  void shouldRefuseTheSameIdTwiceInOneRequest() {
    Insert insert = Insert.into("inbox").withId("x");

    assertThatThrownBy(() -> suite.queue().modify(Modification.insert(insert, insert)))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThat(suite.find(TaskId.of("x"))).isEmpty();
  }

  @Test
  void shouldRefuseAModificationWithNothingToDo() {
    assertThatThrownBy(() -> suite.queue().modify(Modification.empty()))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("nothing to do");
  }
}
