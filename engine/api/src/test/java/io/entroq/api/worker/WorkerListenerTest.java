package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Several listeners of one worker, and what they do around its handler. */
class WorkerListenerTest extends WorkerTestBase {
  private final List<String> seen = new CopyOnWriteArrayList<>();

  /** Notes what it sees of a handler. */
  private final class Around implements WorkerListener {
    private final String name;

    private Around(String name) {
      this.name = name;
    }

    @Override
    public Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
      seen.add(name + " before " + work.task().text());
      try {
        Outcome outcome = handler.call();
        seen.add(name + " " + outcome.kind());
        return outcome;
      } catch (Exception e) {
        seen.add(name + " " + e);
        throw e;
      }
    }

    @Override
    public void onCommitted(Task task, Outcome outcome) {
      seen.add(name + " committed");
      throw new IllegalStateException("of a listener, which others do not feel");
    }
  }

  private WorkerBuilder<Value> observed() {
    return worker().addListener(new Around("a")).addListener(new Around("b"));
  }

  @Test
  void shouldRunInsideOfTheOneThatWasAddedBefore() {
    Task task = insert("hello");
    start(observed(), work -> Outcome.done());
    awaitGone(task);
    Eventually.await("both are told", () -> seen.contains("b committed"));
    assertThat(seen)
        .containsExactly(
            "a before hello", "b before hello", "b done", "a done", "a committed", "b committed");
    assertThat(events.committed).containsExactly(Outcome.done());
  }

  @Test
  void shouldSeeWhatIsThrown() {
    insert("hello");
    start(
        observed(),
        work -> {
          throw new IOException("no");
        });
    Eventually.await("a failure", () -> events.handlerFailures.size() == 1);
    assertThat(seen).contains("b java.io.IOException: no", "a java.io.IOException: no");
    assertThat(events.handlerFailures.get(0)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldSeeAnOutcomeThatIsThrown() {
    Task task = insert("hello");
    start(
        observed(),
        work -> {
          throw new OutcomeException(Outcome.moveTo("elsewhere"));
        });
    awaitIn("elsewhere", task);
    assertThat(seen).contains("b move", "a move");
  }

  @Test
  void shouldSeeAFailureIfNothingCanBeCommitted() {
    insert("hello");
    start(observed(), work -> null);
    Eventually.await("a failure", () -> events.handlerFailures.size() == 1);
    assertThat(seen)
        .contains("a java.lang.IllegalStateException: the handler returned null")
        .doesNotContain("a null");
  }

  @Test
  void shouldReplaceTheOutcome() {
    Task task = insert("hello");
    WorkerListener extending =
        new WorkerListener() {
          @Override
          public Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
            Outcome.Done done = (Outcome.Done) handler.call();
            return Outcome.done(done.rest().and(Modification.insert("outbox", "too")));
          }
        };
    start(
        worker().addListener(extending),
        work -> Outcome.done(Modification.insert("outbox", "one")));
    awaitGone(task);
    assertThat(queue.tasks(TaskQuery.in("outbox")))
        .extracting(Task::text)
        .containsExactlyInAnyOrder("one", "too");
  }

  @Test
  void shouldFailATaskIfItFailsItself() {
    Task task = insert("hello");
    WorkerListener failing =
        new WorkerListener() {
          @Override
          public Outcome around(WorkContext<?> work, Callable<Outcome> handler) {
            throw new IllegalArgumentException("around");
          }
        };
    start(
        worker().addListener(failing).quarantineOn(IllegalArgumentException.class),
        work -> Outcome.done());
    assertThat(awaitIn("inbox/err", task).err()).isEqualTo("IllegalArgumentException: around");
  }

  @Test
  void shouldKeepListenersWhenTheTypeOfValuesChanges() {
    Task task = insert("hello");
    start(observed().values(ValueCodec.text()), work -> Outcome.done());
    awaitGone(task);
    assertThat(seen).contains("a before hello");
  }

  @Test
  void shouldQuarantineAtOnceWhatARetryWouldNotHelp() {
    Task task = insert("hello");
    Task other = insert(Insert.into("other").withValue("hello"));
    start(
        worker().from("inbox", "other").quarantineOn(IllegalArgumentException.class),
        work -> {
          throw work.task().queue().equals("inbox")
              ? new NumberFormatException("no number")
              : new IOException("no connection");
        });
    assertThat(awaitIn("inbox/err", task).err()).isEqualTo("NumberFormatException: no number");
    Eventually.await("a retry", () -> read(other.id()).attempt() == 1);
    assertThat(read(other.id()).queue()).isEqualTo("other");
    assertThat(events.handlerFailures).hasSize(2);
  }

  @Test
  void shouldRetryAfterItsRunTimeWhateverIsThrown() throws InterruptedException {
    Task task = insert("hello");
    Gate gate = new Gate(1, Outcome.done());
    start(worker().maxRuntime(Duration.ofMillis(50)).quarantineOn(Exception.class), gate);
    gate.begun.await();
    passUntil("the end of its time", () -> read(task.id()).attempt() == 1);
    assertThat(read(task.id()).queue()).isEqualTo("inbox");
  }

  @Test
  void shouldNameThePoolThatATaskIsClaimedFrom() {
    List<String> names = List.of("orders", "orders/eu", "order");
    assertThat(claimedFrom("orders", names)).isEqualTo("orders");
    assertThat(claimedFrom("orders/alice", names)).isEqualTo("orders");
    assertThat(claimedFrom("orders/eu", names)).isEqualTo("orders/eu");
    assertThat(claimedFrom("orders/eu/bob", names)).isEqualTo("orders/eu");
    assertThat(claimedFrom("orders/europe", names)).isEqualTo("orders");
    assertThat(claimedFrom("others", names)).isEqualTo("others");
  }

  private String claimedFrom(String name, List<String> claimed) {
    Task task = insert(Insert.into(name).withValue("x"));
    return new ActiveWork<>(queue, task, claimed, claim -> null).claimedFrom();
  }
}
