package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.service.call.Method;
import io.entroq.service.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random work in a real queue: what is counted is what was done, and what there is. */
@Timeout(180)
class InsightModelTest {
  private static final int CALLS = 1_500;
  private static final List<String> QUEUES = List.of("a", "b", "a/err", "b/err");

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final AskedInsight asked = new AskedInsight();
  private final List<Task> held = new ArrayList<>();
  private final EventCounts.Builder expected = EventCounts.newBuilder();

  @AfterEach
  void close() {
    asked.close();
  }

  private EventCounts counted() {
    return asked.ask(Method.RATES, RatesRequest.getDefaultInstance()).getRates(0).getTotal();
  }

  private String anyQueue() {
    return QUEUES.get(random.nextInt(QUEUES.size()));
  }

  private void modify(String worker, Modification modification) {
    asked
        .queue()
        .modify(modification.and(Modification.builder().claimant(worker).build()))
        .orThrow();
  }

  private void insert(String queue) {
    modify("inserter", Modification.insert(Insert.into(queue)));
    expected.setInserted(expected.getInserted() + 1);
  }

  private void claim() {
    Optional<Task> task =
        asked
            .queue()
            .tryClaim(
                Claim.from(anyQueue())
                    .withClaimant("w" + random.nextInt(4))
                    .withLease(Duration.ofHours(1)));
    if (task.isPresent()) {
      held.add(task.get());
      expected.setClaimed(expected.getClaimed() + 1);
    }
  }

  private void end(Task task) {
    switch (random.nextInt(5)) {
      case 0 -> {
        modify(task.claimant(), Modification.delete(task));
        expected.setDone(expected.getDone() + 1);
      }
      case 1 -> fail(task);
      case 2 -> modify(task.claimant(), Modification.release(task));
      case 3 -> move(task, anyQueue(), false);
      default -> move(task, anyQueue(), true);
    }
  }

  private void fail(Task task) {
    modify(task.claimant(), Modification.fail(task, "error " + random.nextInt(3)));
    expected.setFailed(expected.getFailed() + 1);
    // The policy lets a task of this queue die at its second failure.
    if (task.queue().equals("a") && task.attempt() + 1 >= 2) {
      expected.setDead(expected.getDead() + 1).setInserted(expected.getInserted() + 1);
    }
  }

  private void move(Task task, String to, boolean isFailed) {
    if (to.equals(task.queue())) {
      held.add(task);
      return;
    }
    Change change = Change.of(task).moveTo(to).availableNow();
    modify(
        task.claimant(),
        Modification.change(isFailed ? change.withAttempt(task.attempt() + 1, "bad") : change));
    expected.setInserted(expected.getInserted() + 1);
    if (isFailed) {
      expected.setFailed(expected.getFailed() + 1);
    } else {
      expected.setDone(expected.getDone() + 1);
    }
    if (to.endsWith("/err") && !task.queue().endsWith("/err")) {
      expected.setDead(expected.getDead() + 1);
    }
  }

  @Test
  void shouldCountWhatIsDoneAndKnowWhatThereIs() {
    Await.until(
        "events are counted",
        () -> {
          insert("a");
          return counted().getInserted() > 0;
        });
    // Events are counted in their order: with this end, each insert before it is counted or missed.
    Task first = asked.queue().tryClaim(Claim.from("a").withClaimant("w0")).orElseThrow();
    modify(first.claimant(), Modification.delete(first));
    expected.setClaimed(1).setDone(1);
    Await.until("the first end is counted, seed " + seed, () -> counted().getDone() == 1);
    long missed = expected.getInserted() - counted().getInserted();
    asked
        .queue()
        .modify(Modification.put(QueuePolicy.of("a").attempts(2).deadQueue("a/err")))
        .orThrow();
    for (int i = 0; i < CALLS; i++) {
      switch (random.nextInt(3)) {
        case 0 -> insert(anyQueue());
        case 1 -> claim();
        default -> {
          if (!held.isEmpty()) {
            end(held.remove(random.nextInt(held.size())));
          }
        }
      }
    }
    expected.setInserted(expected.getInserted() - missed);
    Await.until("all is counted, seed " + seed, () -> counted().equals(expected.build()));

    List<Worker> workers =
        asked.ask(Method.WORKERS, WorkersRequest.getDefaultInstance()).getWorkersList();
    assertThat(workers.stream().mapToLong(Worker::getHeld).sum())
        .as("seed %d", seed)
        .isEqualTo(held.size());
    assertThat(workers.stream().mapToLong(Worker::getClaimed).sum())
        .isEqualTo(expected.getClaimed());
    assertThat(workers.stream().mapToLong(Worker::getDone).sum()).isEqualTo(expected.getDone());
    assertThat(workers.stream().mapToLong(Worker::getFailed).sum()).isEqualTo(expected.getFailed());
    OverviewResponse overview = asked.ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance());
    assertThat(overview.getAll().getInFlight()).as("seed %d", seed).isEqualTo(held.size());
    assertThat(overview.getDeadQueuesList())
        .as("seed %d", seed)
        .isNotEmpty()
        .allSatisfy(queue -> assertThat(queue.getGrowth60M()).isEqualTo(queue.getTasks()))
        .extracting(DeadQueue::getName)
        .isSubsetOf("a/err", "b/err");
  }
}
