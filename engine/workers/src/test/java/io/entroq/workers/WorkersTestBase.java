package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A queue in memory, and a worker on its queue {@code in}. */
abstract class WorkersTestBase {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final Duration RETRY_DELAY = Duration.ofMinutes(1);

  final TestEntroQ queue = TestEntroQ.open();

  @AfterEach
  void closeQueue() {
    queue.close();
  }

  Task insert(String json) {
    return insert(Value.json(json));
  }

  Task insert(Value value) {
    return insert(Insert.into("in").withValue(value));
  }

  Task insert(Insert insert) {
    return queue.modify(Modification.insert(insert)).orThrow().inserted().get(0);
  }

  Worker start(Handler<Value> handler) {
    return Worker.on(queue).from("in").retryBackoff(Backoff.constant(RETRY_DELAY)).start(handler);
  }

  /** Works on all tasks that are available. */
  void work(Handler<Value> handler) throws InterruptedException {
    try (Worker worker = start(handler)) {
      assertThat(worker.isRunning()).isTrue();
      queue.awaitIdle(PATIENCE, "in");
    }
  }

  List<Task> tasks(String name) {
    return queue.tasks(TaskQuery.in(name));
  }

  /** The only task there is, which is in this queue. */
  Task only(String name) {
    assertThat(queue.queues(io.entroq.api.QueueQuery.all())).containsOnlyKeys(name);
    assertThat(tasks(name)).hasSize(1);
    return tasks(name).get(0);
  }

  /** The value of the only task there is, which is in this queue. */
  JsonNode result(String name) {
    return Json.read(only(name).value());
  }

  /** Asserts that the only task was quarantined for this reason. */
  void assertQuarantined(String reason) {
    Task task = only("in/err");
    assertThat(task.err()).contains(reason);
    assertThat(task.attempt()).isOne();
    queue.modify(Modification.delete(task)).orThrow();
  }
}
