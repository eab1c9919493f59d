package io.entroq.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueMetersTest {
  private final TestEntroQ engine = TestEntroQ.open();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final EntroQ queue = QueueMeters.of(registry).on(engine);

  @AfterEach
  void close() {
    engine.close();
  }

  private Timer requests(String operation, String destination, String error) {
    return registry
        .get("messaging.client.operation.duration")
        .tags(
            "messaging.system", "entroq",
            "messaging.operation.name", operation,
            "messaging.destination.name", destination,
            "error.type", error)
        .timer();
  }

  private double sent(String destination) {
    return registry
        .get("messaging.client.sent.messages")
        .tags("messaging.operation.name", "send", "messaging.destination.name", destination)
        .counter()
        .count();
  }

  @Test
  void shouldCountAndTimeWhatIsInserted() {
    queue
        .modify(Modification.insert("inbox", "a").and(Modification.insert("inbox", "b")))
        .orThrow();
    queue
        .modify(Modification.insert("inbox", "c").and(Modification.insert("other", "d")))
        .orThrow();
    queue.modify(Modification.insert(Insert.into("inbox").withKey("alice"))).orThrow();
    assertThat(sent("inbox")).isEqualTo(4);
    assertThat(sent("other")).isEqualTo(1);
    assertThat(requests("send", "inbox", "none").count()).isEqualTo(2);
    assertThat(requests("send", "", "none").count()).as("into several queues").isEqualTo(1);
    assertThat(requests("send", "inbox", "none").totalTime(TimeUnit.NANOSECONDS)).isPositive();
  }

  @Test
  void shouldMeasureWhatAWorkerAsksFor() throws InterruptedException {
    engine.modify(Modification.insert("inbox", "a")).orThrow();
    try (Worker worker = Worker.on(queue).from("inbox").start(work -> Outcome.done())) {
      engine.awaitIdle();
      assertThat(worker.metrics().done()).isEqualTo(1);
    }
    assertThat(requests("claim", "inbox", "none").count()).isPositive();
    assertThat(requests("modify", "", "none").count()).isEqualTo(1);
  }

  @Test
  void shouldTellFailures() {
    Task gone = engine.modify(Modification.insert("inbox", "a")).orThrow().inserted().get(0);
    engine.modify(Modification.delete(gone)).orThrow();
    Modification late = Modification.insert("inbox", "b").and(Modification.delete(gone.ref()));
    assertThat(queue.modify(late).isCommitted()).isFalse();
    assertThat(requests("send", "inbox", "DependencyFailure").count()).isEqualTo(1);

    engine.close();
    assertThatThrownBy(() -> queue.tryClaim(Claim.from("inbox")))
        .isInstanceOf(EntroQException.Closed.class);
    assertThat(requests("tryClaim", "inbox", EntroQException.Closed.class.getName()).count())
        .isEqualTo(1);
    assertThat(registry.find("messaging.client.sent.messages").counter()).isNull();
  }
}
