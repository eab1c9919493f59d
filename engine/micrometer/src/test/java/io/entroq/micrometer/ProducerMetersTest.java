package io.entroq.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.TestEntroQ;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProducerMetersTest {
  private final TestEntroQ queue = TestEntroQ.open();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ProducerMeters meters = ProducerMeters.of(registry);

  @AfterEach
  void close() {
    queue.close();
  }

  private long requests(String destination, String error) {
    return registry
        .get("messaging.client.operation.duration")
        .tags(
            "messaging.system",
            "entroq",
            "messaging.operation.name",
            "send",
            "messaging.destination.name",
            destination,
            "error.type",
            error)
        .timer()
        .count();
  }

  private double sent(String destination) {
    return registry
        .get("messaging.client.sent.messages")
        .tag("messaging.destination.name", destination)
        .counter()
        .count();
  }

  @Test
  void shouldCountAndTimeWhatIsInserted() {
    meters
        .modify(queue, Modification.insert("inbox", "a").and(Modification.insert("inbox", "b")))
        .orThrow();
    meters
        .modify(queue, Modification.insert("inbox", "c").and(Modification.insert("other", "d")))
        .orThrow();
    assertThat(sent("inbox")).isEqualTo(3);
    assertThat(sent("other")).isEqualTo(1);
    assertThat(requests("inbox", "none")).isEqualTo(1);
    assertThat(requests("", "none")).as("of several queues").isEqualTo(1);
  }

  @Test
  void shouldTellFailures() {
    Task gone = queue.modify(Modification.insert("inbox", "a")).orThrow().inserted().get(0);
    queue.modify(Modification.delete(gone)).orThrow();
    Modification late = Modification.insert("inbox", "b").and(Modification.delete(gone.ref()));
    assertThat(meters.modify(queue, late).isCommitted()).isFalse();
    assertThat(requests("inbox", "DependencyFailure")).isEqualTo(1);

    queue.close();
    assertThatThrownBy(() -> meters.modify(queue, Modification.insert("inbox", "c")))
        .isInstanceOf(EntroQException.Closed.class);
    assertThat(requests("inbox", EntroQException.Closed.class.getName())).isEqualTo(1);
    assertThat(registry.find("messaging.client.sent.messages").counter()).isNull();
  }
}
