package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed and started again while many clients are at work. */
class KilledServerTest {
  private static final int CLIENTS = 16;

  @TempDir Path temporary;

  private final Set<String> inserted = ConcurrentHashMap.newKeySet();
  private final AtomicLong moved = new AtomicLong();
  private final Set<Throwable> failures = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;
  private int port;
  private Process server;

  @Test
  @Timeout(120)
  void shouldLeaveNobodyInDoubtWhenTheServerIsKilled() throws Exception {
    killTimes(1, 100);
  }

  @Test
  @Tag("long")
  @Timeout(1_200)
  void shouldLeaveNobodyInDoubtHoweverOftenTheServerIsKilled() throws Exception {
    killTimes(30, 2_000);
  }

  private void killTimes(int times, long movesBetween) throws Exception {
    port = freePort();
    start();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        String name = "client " + i;
        threads.add(new Thread(() -> work(name), name));
      }
      threads.forEach(Thread::start);
      for (int i = 0; i < times; i++) {
        untilMoved(movesBetween);
        kill();
        start();
      }
      untilMoved(movesBetween);
    } finally {
      isOver = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(failures).isEmpty();
    check();
  }

  @AfterEach
  void end() throws InterruptedException {
    isOver = true;
    kill();
  }

  private void untilMoved(long more) {
    long target = moved.get() + more;
    until(() -> moved.get() >= target || !failures.isEmpty());
  }

  private static void until(BooleanSupplier condition) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as("waited too long").isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void work(String name) {
    try (EntroQ queue = connect()) {
      for (int i = 0; !isOver; i++) {
        String value = name + " task " + i;
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

  private EntroQ connect() {
    return EntroQClient.connect(
        ClientConfig.to("localhost:" + port).callTimeout(Duration.ofMinutes(1)).build());
  }

  private void check() throws InterruptedException {
    try (EntroQ queue = connect()) {
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
    server =
        Java.command(
                Main.class,
                "serve",
                "--data",
                temporary.resolve("data").toString(),
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--http-port",
                "0")
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(temporary.resolve("server.log").toFile()))
            .start();
  }

  private void kill() throws InterruptedException {
    int unused = server.destroyForcibly().waitFor();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
