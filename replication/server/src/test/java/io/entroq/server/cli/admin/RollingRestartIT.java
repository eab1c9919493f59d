package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.client.EntroQClient;
import io.entroq.server.cli.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The runbook for restarting all members, one at a time, under load. */
@Tag("long")
@Timeout(300)
class RollingRestartIT {
  private static final int MEMBERS = 3;
  private static final int WORKERS = 4;
  private static final String QUEUE = "work";

  /** The number of tasks between two restarts. */
  private static final int TASKS = 50;

  @TempDir private Path directory;

  private final AtomicLong done = new AtomicLong();
  private volatile boolean isOver;

  @Test
  void shouldShowNoErrorToAnyWorker() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, MEMBERS)) {
      awaitAll(cluster);
      Cli.run("snapshot", "-s", cluster.addresses()).assertGood();
      List<EntroQ> clients = new ArrayList<>();
      List<CompletableFuture<Void>> workers = new ArrayList<>();
      try {
        for (int i = 0; i < WORKERS; i++) {
          EntroQ client = EntroQClient.connect(cluster.addresses());
          clients.add(client);
          workers.add(CompletableFuture.runAsync(() -> work(client), RollingRestartIT::onThread));
        }
        for (int id : leaderLast(cluster)) {
          awaitTasks(workers);
          cluster.restart(id);
          awaitAll(cluster);
        }
        awaitTasks(workers);
        isOver = true;
        workers.forEach(CompletableFuture::join);
        assertThat(clients.get(0).tryClaim(Claim.from(QUEUE))).isEmpty();
      } finally {
        isOver = true;
        clients.forEach(EntroQ::close);
      }
      until("all have applied the same", () -> digests(cluster).size() == 1);
    }
  }

  private void work(EntroQ queue) {
    while (!isOver) {
      queue.modify(Modification.insert(QUEUE, "task")).orThrow();
      Task task = queue.claimAsync(Claim.from(QUEUE)).join().get(0);
      queue.modify(Modification.delete(task)).orThrow();
      done.incrementAndGet();
    }
  }

  /** Waits until all workers have done more tasks without an error. */
  private void awaitTasks(List<CompletableFuture<Void>> workers) {
    long enough = done.get() + TASKS;
    until(
        "workers go on",
        () -> {
          workers.stream()
              .filter(CompletableFuture::isCompletedExceptionally)
              .forEach(CompletableFuture::join);
          return done.get() >= enough;
        });
  }

  private static int[] leaderLast(ServedCluster cluster) {
    Cli status = Cli.run("status", "--json", "-s", cluster.address(0)).assertGood();
    int leader = status.json().get("leader").asInt();
    return new int[] {(leader + 1) % MEMBERS, (leader + 2) % MEMBERS, leader};
  }

  /** Waits for what the runbook says. */
  private static void awaitAll(ServedCluster cluster) {
    until(
        "all are with the leader",
        () -> {
          Cli members = Cli.run("members", "--json", "-s", cluster.addresses());
          return members.status() == 0
              && members.lines().stream()
                  .allMatch(
                      line ->
                          line.path("election").asText().equals("CLOSED")
                              && line.path("lagBytes").asLong() < 1 << 20);
        });
  }

  private static List<JsonNode> digests(ServedCluster cluster) {
    return Cli.run("members", "--json", "-s", cluster.addresses()).lines().stream()
        .map(line -> line.path("state"))
        .distinct()
        .toList();
  }

  private static void onThread(Runnable work) {
    Thread thread = new Thread(work, "worker");
    thread.setDaemon(true);
    thread.start();
  }
}
