package io.entroq.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.DocInsert;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerListener;
import io.entroq.engine.embedded.TestEntroQ;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.Event;

/** What a test that fails tells of its tasks. */
class FailureHistoryTest {
  private static volatile String claimant;

  /** The histories that the failure of the only test of a class has suppressed. */
  private static List<TaskHistory> histories(Class<?> testClass) {
    Event end =
        EntroQExtensionTest.run(testClass).testEvents().finished().stream()
            .findFirst()
            .orElseThrow();
    Throwable failure =
        end.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
    return Stream.of(failure.getSuppressed())
        .filter(TaskHistory.class::isInstance)
        .map(TaskHistory.class::cast)
        .toList();
  }

  private static String history(Class<?> testClass) {
    List<TaskHistory> histories = histories(testClass);
    assertThat(histories).hasSize(1);
    assertThat(histories.get(0).getStackTrace()).isEmpty();
    return histories.get(0).getMessage();
  }

  private static void insert(TestEntroQ queue, String text) {
    queue.modify(Modification.insert("inbox", text)).orThrow();
  }

  @ExtendWith(EntroQExtension.class)
  static class WithAWorker {
    @Test
    void test(TestEntroQ queue) throws Exception {
      claimant = queue.claimant();
      for (String id : List.of("good", "bad")) {
        queue
            .modify(
                Modification.insert(
                    Insert.into("inbox").withValue("the " + id + " one").withId(id)))
            .orThrow();
      }
      Worker.on(queue)
          .from("inbox")
          .maxAttempts(2)
          .retryBackoff(Backoff.constant(Duration.ofDays(31)))
          .listener(WorkerListener.none())
          .start(
              work -> {
                if (work.task().id().text().equals("bad")) {
                  throw new IllegalStateException("boom\nand more");
                }
                return Outcome.done();
              });
      queue.awaitIdle();
      queue.advance(Duration.ofDays(31).plusMillis(5_250));
      queue.awaitIdle();
      QueueAssert.assertThat(queue, "inbox/err").isEmpty();
    }
  }

  @Test
  void shouldTellWhatHappenedToEachTask() {
    assertThat(history(WithAWorker.class).replace(claimant, "ME"))
        .isEqualTo(
            """
            8 effects during this test. Times are the queue's, since the start of the test
              task good
                +00:00:00.000     inserted in inbox by ME, value "the good one"
                +00:00:00.000     claimed in inbox by ME, until +00:00:45.000
                +00:00:00.000     deleted in inbox by ME
              task bad
                +00:00:00.000     inserted in inbox by ME, value "the bad one"
                +00:00:00.000     claimed in inbox by ME, until +00:00:45.000
                +00:00:00.000     changed in inbox by ME, due +31d 00:00:00.000, attempt 1, failed, \
            error "IllegalStateException: boom / and more"
                +31d 00:00:05.250 claimed in inbox by ME, until +31d 00:00:50.250, attempt 1
                +31d 00:00:05.250 moved in inbox/err, from inbox by ME, attempt 2, failed, \
            error "IllegalStateException: boom / and more / IllegalStateException: boom / and more\"""");
  }

  @ExtendWith(EntroQExtension.class)
  static class Succeeding {
    @Test
    void test(TestEntroQ queue) {
      insert(queue, "x");
    }
  }

  @ExtendWith(EntroQExtension.class)
  static class Aborted {
    @Test
    void test(TestEntroQ queue) {
      insert(queue, "x");
      Assumptions.abort("not here");
    }
  }

  @Test
  void shouldTellNothingUnlessATestFails() {
    assertThat(histories(Aborted.class)).isEmpty();
    EngineExecutionResults results = EntroQExtensionTest.run(Succeeding.class);
    results.testEvents().assertStatistics(stats -> stats.succeeded(1).reportingEntryPublished(0));
  }

  @ExtendWith(EntroQExtension.class)
  static class FailingBefore {
    @BeforeEach
    void before(TestEntroQ queue) {
      insert(queue, "before");
      throw new IllegalStateException("before");
    }

    @Test
    void test() {}
  }

  @ExtendWith(EntroQExtension.class)
  static class FailingAfter {
    @Test
    void test(TestEntroQ queue) {
      insert(queue, "in the test");
    }

    @AfterEach
    void after(TestEntroQ queue) {
      insert(queue, "after");
      throw new IllegalStateException("after");
    }
  }

  @Test
  void shouldTellWhenMethodsAroundATestFail() {
    assertThat(history(FailingBefore.class)).contains("value \"before\"");
    assertThat(history(FailingAfter.class)).contains("value \"in the test\"", "value \"after\"");
  }

  @ExtendWith(EntroQExtension.class)
  static class WithManyTasks {
    @Test
    void test(TestEntroQ queue) {
      for (int i = 0; i < 1_300; i++) {
        insert(queue, "number " + i);
      }
      throw new IllegalStateException("too many");
    }
  }

  @Test
  void shouldTellTheLatestTwoHundredEffects() {
    String history = history(WithManyTasks.class);
    assertThat(history)
        .startsWith("1,300 effects during this test, of which these are the latest 200. ")
        .contains("number 1299", "number 1100")
        .doesNotContain("number 1099");
    assertThat(history.lines()).hasSize(401);
  }

  @ExtendWith(EntroQExtension.class)
  static class WithLargeTasks {
    @Test
    void test(TestEntroQ queue) {
      for (int i = 0; i < 40; i++) {
        insert(queue, "%d %s".formatted(i, "x".repeat(1_000_000)));
      }
      throw new IllegalStateException("too much");
    }
  }

  @Test
  void shouldTellTheLatestEffectsIfNotAllAreKept() {
    String history = history(WithLargeTasks.class);
    assertThat(history)
        .contains("; earlier effects are not kept. ")
        .contains("value \"39 xxx")
        .doesNotContain("value \"1 xxx");
    assertThat(history.length()).isLessThan(20_000);
  }

  @ExtendWith(EntroQExtension.class)
  static class ClosingTheQueue {
    @Test
    void test(TestEntroQ queue) {
      insert(queue, "x");
      queue.close();
      throw new IllegalStateException("closed");
    }
  }

  @Test
  void shouldSayThatAQueueIsClosed() {
    assertThat(history(ClosingTheQueue.class))
        .startsWith("0 effects during this test; others cannot be read: the engine is closed");
  }

  @ExtendWith(EntroQExtension.class)
  static class WithDocsAndPolicies {
    @Test
    void test(TestEntroQ queue) {
      queue
          .modify(
              Modification.builder()
                  .insertDoc(DocInsert.into("ns", "key").withId("id").withValue("x"))
                  .build())
          .orThrow();
      queue.pause("inbox");
      throw new IllegalStateException("failed");
    }
  }

  @Test
  void shouldTellOfDocsAndPolicies() {
    assertThat(history(WithDocsAndPolicies.class))
        .contains("\n  doc id in ns\n    +00:00:00.000     doc inserted by ")
        .contains("\n  doc set key in ns\n    +00:00:00.000     set written by ")
        .contains("\n  policy of queue inbox\n    +00:00:00.000     policy written by ");
  }

  /** An exception that keeps nothing. */
  private static final class Plain extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Plain() {
      super("plain", null, false, false);
    }
  }

  @ExtendWith(EntroQExtension.class)
  static class FailingPlainly {
    @Test
    void test(TestEntroQ queue) {
      insert(queue, "x");
      throw new Plain();
    }
  }

  @Test
  void shouldLogTheHistoryIfTheFailureCannotHaveIt() {
    List<String> logged = new ArrayList<>();
    Logger logger = Logger.getLogger(EntroQExtension.class.getName());
    Filter filter =
        line -> {
          logged.add(line.getMessage());
          return false;
        };
    logger.setFilter(filter);
    try {
      EntroQExtensionTest.run(FailingPlainly.class);
    } finally {
      logger.setFilter(null);
    }
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0)).contains("Plain: plain: 1 effect during").contains("value \"x\"");
  }
}
