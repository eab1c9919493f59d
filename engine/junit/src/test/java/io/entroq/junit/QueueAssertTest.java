package io.entroq.junit;

import static io.entroq.junit.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.engine.embedded.TestEntroQ;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.opentest4j.AssertionFailedError;

@ExtendWith(EntroQExtension.class)
class QueueAssertTest {
  private final TestEntroQ queue;

  QueueAssertTest(TestEntroQ queue) {
    this.queue = queue;
  }

  /** Tasks in all states, inserted one after the other. */
  @BeforeEach
  void insertTasks() {
    insert(Insert.into("q").withValue("held").withId("1"));
    claim();
    insert(Insert.into("q").withValue(Value.json("{\"n\":1}")).withId("2"));
    queue
        .modify(
            Modification.change(
                Change.of(claim())
                    .withAttempt(2, "first\nsecond")
                    .availableIn(Duration.ofHours(1))))
        .orThrow();
    insert(Insert.into("q").withValue("free").withId("3"));
    insert(Insert.into("q").withValue(Value.bytes(new byte[7])).withId("4"));
  }

  private void insert(Insert insert) {
    queue.advance(Duration.ofMillis(1));
    queue.modify(Modification.insert(insert)).orThrow();
  }

  private Task claim() {
    return queue.tryClaim(Claim.from("q").withLease(Duration.ofSeconds(30))).orElseThrow();
  }

  private String list() {
    return """
        expected
          1: "held", held by %s until 2026-01-01T00:00:30.001Z
          2: {"n":1}, due at 2026-01-01T01:00:00.002Z, attempt 2, error "first / second"
          3: "free", available
          4: 7 bytes, available"""
        .formatted(queue.claimant())
        .replace("expected\n", "\n");
  }

  private static AssertionFailedError failureOf(ThrowingCallable check) {
    return catchThrowableOfType(AssertionFailedError.class, check);
  }

  @Test
  void shouldPassWhatIsSo() {
    assertThat(queue, "none").isEmpty().hasTasks(0).hasValues();
    assertThat(queue, "q")
        .hasTasks(4)
        .hasValues("held", "\0\0\0\0\0\0\0", "free", "{\"n\":1}")
        .containsTaskSatisfying(task -> assertThat(task.attempt()).isEqualTo(2));
  }

  @Test
  void shouldFailUnlessEmpty() {
    AssertionFailedError failure = failureOf(() -> assertThat(queue, "q").isEmpty());
    assertThat(failure).hasMessage("expected no task in q, but there are 4 tasks" + list());
    assertThat(failure.getExpected().getValue()).isEqualTo(0);
    assertThat(failure.getActual().getValue()).isEqualTo(4);
  }

  @Test
  void shouldFailWithAnotherNumberOfTasks() {
    assertThat(failureOf(() -> assertThat(queue, "q").hasTasks(1)))
        .hasMessage("expected 1 task in q, but there are 4 tasks" + list());
    assertThat(failureOf(() -> assertThat(queue, "none").hasTasks(3)))
        .hasMessage("expected 3 tasks in none, but there are none");
  }

  @Test
  void shouldFailWithOtherValues() {
    AssertionFailedError failure =
        failureOf(() -> assertThat(queue, "q").hasValues("free", "held", "{\"n\":1}"));
    assertThat(failure)
        .hasMessage(
            "expected the values [free, held, {\"n\":1}] in q, but there are 4 tasks" + list());
    assertThat(failure.getExpected().getStringRepresentation())
        .isEqualTo("[free, held, {\"n\":1}]");
    assertThat(failure.getActual().getStringRepresentation())
        .isEqualTo("[\0\0\0\0\0\0\0, free, held, {\"n\":1}]");
  }

  @Test
  void shouldFailIfNoTaskSatisfies() {
    AssertionFailedError failure =
        failureOf(
            () ->
                assertThat(queue, "q")
                    .containsTaskSatisfying(
                        task -> {
                          throw new AssertionError("is " + task.attempt());
                        }));
    assertThat(failure)
        .hasMessage(
            "expected a task that satisfies the requirements in q, but there are 4 tasks"
                + list()
                + "\nNone does:\n  1: is 0\n  2: is 2\n  3: is 0\n  4: is 0");
  }

  @Test
  void shouldListTwentyTasksAndShortenWhatIsLong() {
    for (int i = 0; i < 25; i++) {
      queue.modify(Modification.insert("many", "x".repeat(1_000))).orThrow();
    }
    AssertionFailedError failure = failureOf(() -> assertThat(queue, "many").isEmpty());
    assertThat(failure).hasMessageEndingWith("\n  and 5 more");
    assertThat(failure.getMessage().lines()).hasSize(22).allMatch(line -> line.length() < 300);
  }
}
