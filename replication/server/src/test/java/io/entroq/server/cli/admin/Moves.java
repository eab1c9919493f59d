package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Workers that insert tasks with values of their own and move each to another queue. They must see
 * no error, and at the end every task whose insert was acknowledged is there exactly once.
 */
final class Moves implements AutoCloseable {
  static final String WORK = "moves/work";
  static final String DONE = "moves/done";

  private static final int WORKERS = 3;

  /** The number of tasks between two steps. */
  private static final int TASKS = 30;

  /** A majority may be down until processes have started while others work. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<EntroQ> clients;
  private final List<CompletableFuture<Void>> workers;
  private final Queue<String> inserted = new ConcurrentLinkedQueue<>();
  private final AtomicInteger moved = new AtomicInteger();
  private volatile boolean isOver;

  Moves(String addresses) {
    clients = Stream.generate(() -> connect(addresses)).limit(WORKERS).toList();
    workers =
        IntStream.range(0, WORKERS)
            .mapToObj(
                i -> CompletableFuture.runAsync(() -> work(i, clients.get(i)), Moves::onThread))
            .toList();
  }

  private static EntroQ connect(String addresses) {
    return EntroQClient.connect(ClientConfig.to(addresses).callTimeout(PATIENCE).build());
  }

  private static void onThread(Runnable work) {
    Thread thread = new Thread(work, "worker");
    thread.setDaemon(true);
    thread.start();
  }

  private void work(int worker, EntroQ queue) {
    for (int i = 0; !isOver; i++) {
      String value = worker + "-" + i;
      queue.modify(Modification.insert(WORK, value)).orThrow();
      inserted.add(value);
      Task task = queue.claimAsync(Claim.from(WORK)).join().get(0);
      Modification move =
          Modification.delete(task).and(Modification.insert(DONE, task.value().asText()));
      try {
        queue.modify(move).orThrow();
        moved.incrementAndGet();
      } catch (EntroQException.Dependency e) {
        // A member ended before the log recorded that the task was handed out: returned once.
      }
    }
  }

  /** Waits until more tasks are moved. */
  void goOn() {
    int enough = moved.get() + TASKS;
    until(
        "workers go on",
        PATIENCE,
        () -> {
          workers.stream()
              .filter(CompletableFuture::isCompletedExceptionally)
              .forEach(CompletableFuture::join);
          return moved.get() >= enough;
        });
  }

  /** Stops all workers, and looks for what they have moved. */
  void end() {
    isOver = true;
    // Not by a join alone, which no timeout of a test interrupts.
    until("workers end", PATIENCE, () -> workers.stream().allMatch(CompletableFuture::isDone));
    workers.forEach(CompletableFuture::join);
    List<String> done = values(DONE);
    assertThat(done).hasSize(moved.get());
    assertThat(Stream.concat(done.stream(), values(WORK).stream()))
        .containsExactlyInAnyOrderElementsOf(inserted);
  }

  private List<String> values(String queue) {
    return clients.get(0).tasks(TaskQuery.in(queue)).stream()
        .map(task -> task.value().asText())
        .toList();
  }

  @Override
  public void close() {
    isOver = true;
    clients.forEach(EntroQ::close);
  }
}
