package io.entroq.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide to fan-out shows. */
class FanOutTest {
  @TempDir private Path directory;
  private final BlockingQueue<String> charged = new LinkedBlockingQueue<>();

  private Outcome charge(String order) {
    charged.add(order);
    return Outcome.done();
  }

  @Test
  void shouldGiveEachGroupItsTask() throws InterruptedException {
    try (EntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.policies().put(QueuePolicy.of("orders").groups("billing", "mail"));

      List<Task> copies =
          queue.modify(Modification.insert("orders", "order 17")).orThrow().inserted();

      assertThat(copies).extracting(Task::queue).containsExactly("orders/billing", "orders/mail");
      assertThat(copies).allMatch(task -> task.value().asText().equals("order 17"));
      Worker billing =
          Worker.on(queue)
              .from("orders/billing")
              .values(ValueCodec.text())
              .start(work -> charge(work.value()));
      assertThat(charged.poll(30, TimeUnit.SECONDS)).isEqualTo("order 17");
      billing.close();
      Task mail = queue.tryClaim(Claim.from("orders/mail")).orElseThrow();
      assertThat(mail.id()).isEqualTo(copies.get(1).id());
      queue.modify(Modification.delete(mail)).orThrow();
      assertThat(queue.queues(QueueQuery.all()).values()).allMatch(tasks -> tasks == 0);
    }
  }

  @Test
  void shouldKeepTheRulesOfEachGroup() {
    try (EntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.policies().put(QueuePolicy.of("orders").groups("billing", "mail"));
      queue
          .policies()
          .put(QueuePolicy.of("orders/mail").rate(10, Duration.ofSeconds(1)).attempts(8));
      Modification two = Modification.builder().insert("orders", "1").insert("orders", "2").build();
      assertThat(queue.modify(two).orThrow().inserted())
          .extracting(Task::queue)
          .containsExactly("orders/billing", "orders/mail", "orders/billing", "orders/mail");
      assertThat(queue.tryClaimMany(Claim.from("orders/mail").withLimit(2))).hasSize(1);
      assertThat(queue.tryClaimMany(Claim.from("orders/billing").withLimit(2))).hasSize(2);
      assertThat(queue.tryClaim(Claim.from("orders"))).isEmpty();
    }
  }

  @Test
  void shouldReportTheCopyInTheWayOfARepeatedInsert() {
    try (EntroQ queue = EmbeddedEntroQ.open(directory)) {
      queue.policies().put(QueuePolicy.of("orders").groups("billing", "mail"));
      Modification insert =
          Modification.builder()
              .insert(Insert.into("orders").withId(TaskId.of("order-17")).withValue("17"))
              .build();
      List<Task> copies = queue.modify(insert).orThrow().inserted();
      ModifyResult.DependencyFailure again = (ModifyResult.DependencyFailure) queue.modify(insert);
      assertThat(again.collisions()).containsExactly(copies.get(0).ref());
    }
  }
}
