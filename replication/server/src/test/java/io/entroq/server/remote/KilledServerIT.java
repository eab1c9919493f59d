package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.client.EntroQClient;
import io.entroq.server.cli.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that is killed and started again while many clients are at work. */
class KilledServerIT {
  private static final int CLIENTS = 4;

  private static final int LONG_CLIENTS = 16;

  /** Threads of each client, so that there are requests behind those that are under way. */
  private static final int LANES = 2;

  /** Of so many kills all but one come when little has been done since the one before. */
  private static final int HASTY_KILLS = 4;

  private static final int HASTY_MOVES = 20;

  /** Of a client however many times the server is killed under one request. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @TempDir Path data;

  private final long seed = Long.getLong("test.seed", new SplittableRandom().nextLong());
  private final SplittableRandom random = new SplittableRandom(seed);

  private final Set<String> inserted = ConcurrentHashMap.newKeySet();
  private final AtomicLong moved = new AtomicLong();
  private final AtomicLongArray steps = new AtomicLongArray(LONG_CLIENTS * LANES);
  private final Set<Throwable> failures = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;
  private int port;
  private ServerProcess server;

  @Test
  void shouldLeaveNobodyInDoubtWhenTheServerIsKilled() throws Exception {
    killTimes(1, 50, CLIENTS, Over.values());
  }

  @ParameterizedTest
  @EnumSource(Over.class)
  @Tag("long")
  @Timeout(1_800)
  void shouldLeaveNobodyInDoubtHoweverOftenTheServerIsKilled(Over over) throws Exception {
    killTimes(Integer.getInteger("test.kills", 60), 2_000, LONG_CLIENTS, over);
  }

  /**
   * @param ways how clients come to the server, in turns
   */
  private void killTimes(int times, int movesMax, int clientCount, Over... ways) throws Exception {
    System.out.printf(
        "%s over %s: seed %d%n", getClass().getSimpleName(), Arrays.toString(ways), seed);
    start();
    List<EntroQ> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < clientCount; i++) {
        EntroQ queue = connect(ways[i % ways.length]);
        clients.add(queue);
        for (int j = 0; j < LANES; j++) {
          int lane = i * LANES + j;
          threads.add(new Thread(() -> work(queue, lane), "lane " + lane));
        }
      }
      threads.forEach(Thread::start);
      int lanes = clientCount * LANES;
      for (int i = 0; i < times; i++) {
        boolean isHasty = i % HASTY_KILLS != 0;
        untilMoved(random.nextInt(isHasty ? HASTY_MOVES : movesMax) + 1);
        if (!isHasty) {
          untilAllHaveStepped(lanes);
        }
        server.close();
        start();
      }
      untilMoved(movesMax);
      untilAllHaveStepped(lanes);
    } finally {
      isOver = true;
      for (Thread thread : threads) {
        thread.join();
      }
      clients.forEach(EntroQ::close);
    }
    assertThat(failures).as("seed %d", seed).isEmpty();
    check();
  }

  @AfterEach
  void end() throws IOException {
    isOver = true;
    if (server != null) {
      server.close();
    }
  }

  private void untilMoved(long more) {
    long target = moved.get() + more;
    until("enough is done", () -> moved.get() >= target || !failures.isEmpty());
  }

  /** Nobody is left behind: each has had answers since this began. */
  private void untilAllHaveStepped(int lanes) {
    for (int i = 0; i < lanes; i++) {
      int lane = i;
      long target = steps.get(lane) + 2;
      until("lane goes on", () -> steps.get(lane) >= target || !failures.isEmpty());
    }
  }

  private void work(EntroQ queue, int lane) {
    try {
      for (int i = 0; !isOver; i++) {
        steps.incrementAndGet(lane);
        String value = "lane " + lane + " task " + i;
        assertThat(queue.modify(Modification.insert("inbox", value)))
            .isInstanceOf(ModifyResult.Committed.class);
        assertThat(inserted.add(value)).isTrue();
        claimed(queue).forEach(task -> move(queue, task));
      }
    } catch (Throwable t) {
      failures.add(t);
      if (t instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Nobody is in doubt of a claim whose time is up while there is no server. */
  private static List<Task> claimed(EntroQ queue) throws InterruptedException {
    try {
      return queue.claimMany(claim());
    } catch (EntroQException.Unavailable e) {
      return List.of();
    }
  }

  private static Claim claim() {
    // Longer than a server takes to come back.
    return Claim.from("inbox").withLease(Duration.ofMinutes(2)).withMaxWait(Duration.ofSeconds(1));
  }

  private void move(EntroQ queue, Task task) {
    ModifyResult result =
        queue.modify(Modification.delete(task).and(Modification.insert("done", task.value())));
    assertThat(result).isNotInstanceOf(ModifyResult.OutcomeUnknown.class);
    if (result.isCommitted()) {
      moved.incrementAndGet();
    }
  }

  private EntroQ connect(Over over) {
    return EntroQClient.connect(
        over.to(port).connectTimeout(PATIENCE).callTimeout(PATIENCE).build());
  }

  private void check() throws InterruptedException {
    try (EntroQ queue = connect(Over.CALLS)) {
      List<Task> left = queue.claimMany(claim().withLimit(1_000).withMaxWait(Duration.ZERO));
      left.forEach(task -> move(queue, task));
      assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys("done");
      List<String> done = new ArrayList<>();
      queue.forEachTask(TaskQuery.in("done"), task -> done.add(task.text()));
      assertThat(done).doesNotHaveDuplicates().hasSameSizeAs(inserted);
      assertThat(inserted).containsAll(done);
      assertThat(moved.get()).isEqualTo(inserted.size());
    }
  }

  private void start() throws IOException {
    server = ServerProcess.start(port, "--data", data.toString());
    port = server.port();
  }
}
