package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.server.cli.ServerProcess;
import io.entroq.service.grpc.RawStream;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server that is told to end while clients are at work, and is started again on its port. */
@EnabledOnOs(OS.LINUX)
class StoppedServerIT {
  private static final int INTERRUPTED = 128 + 2;
  private static final int TERMINATED = 128 + 15;
  private static final int WORKERS = 4;

  @TempDir private Path data;

  private ServerProcess server;
  private final AtomicLong inserted = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private volatile boolean isOver;

  @AfterEach
  void end() throws IOException {
    isOver = true;
    if (server != null) {
      server.close();
    }
  }

  @Test
  void shouldLoseNothingWhenItIsRestartedUnderLoad() throws Exception {
    restartTimes(1, 50);
  }

  @Test
  @Tag("long")
  @Timeout(600)
  void shouldLoseNothingHoweverOftenItIsRestartedUnderLoad() throws Exception {
    restartTimes(20, 2_000);
  }

  private void restartTimes(int times, long tasksBetween) throws Exception {
    server = serve(0);
    assertThat(server.store()).isEqualTo(data + ", durability disk");
    try (EntroQ queue = EntroQ.connect("localhost:" + server.port());
        Worker worker =
            Worker.on(queue).from("inbox").concurrency(WORKERS).start(work -> pass(work.task()))) {
      CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(queue));
      CompletableFuture<List<Task>> parked = queue.claimAsync(Claim.from("late"));
      for (int i = 0; i < times; i++) {
        untilDone(tasksBetween);
        restart();
      }
      untilDone(tasksBetween);
      isOver = true;
      inserting.join();
      assertThat(queue.waitQueuesEmpty(QueueQuery.named("inbox"), Duration.ofSeconds(60))).isTrue();

      assertThat(worker.isRunning()).isTrue();
      assertThat(worker.metrics().unknown()).isZero();
      assertThat(queue.tasks(TaskQuery.in("outbox").withoutValues()))
          .hasSize(inserted.intValue())
          .extracting(task -> task.id().text())
          .doesNotHaveDuplicates()
          .allMatch(id -> id.startsWith("done "));
      assertThat(parked).isNotDone();
      queue.modify(Modification.insert("late", "x")).orThrow();
      assertThat(parked.get(30, TimeUnit.SECONDS)).hasSize(1);
    }
  }

  private void insert(EntroQ queue) {
    while (!isOver) {
      long number = inserted.incrementAndGet();
      queue.modify(Modification.insert(Insert.into("inbox").withId("task " + number))).orThrow();
    }
  }

  private Outcome pass(Task task) {
    done.incrementAndGet();
    return Outcome.done(Modification.insert(Insert.into("outbox").withId("done " + task.id())));
  }

  private void untilDone(long more) {
    long target = done.get() + more;
    until("enough is done", () -> done.get() >= target);
  }

  /**
   * Ends it with a claim and a stream waiting, which no client that is ours keeps open by itself.
   */
  private void restart() throws Exception {
    int port = server.port();
    try (WireClient client = new WireClient(port);
        RawStream stream = RawStream.open(client, null)) {
      ListenableFuture<ClaimResponse> claim =
          new V1(client).beginClaim(V1.claim("c", "empty").build());
      stream.send(StreamRequest.newBuilder().setNumber(1).setClaim(V1.claim("s", "empty")));
      // By the time of this answer both wait.
      stream.send(StreamRequest.newBuilder().setNumber(2).setTryClaim(V1.claim("s", "empty")));
      assertThat(stream.response().getNumber()).isEqualTo(2);

      server.terminate();

      assertThat(stream.response().getError().getCode())
          .isEqualTo(Status.Code.DEADLINE_EXCEEDED.value());
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(code(claim)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
    assertThat(server.awaitEnd()).isEqualTo(TERMINATED);
    assertThat(server.errors().lines())
        .allMatch(
            line -> line.contains(" INFO ServerRun - ") || line.startsWith("Starting EntroQ "));
    assertThat(server.errors()).endsWith(" - Stopped.\n");
    server.close();
    server = serve(port);
  }

  @Test
  void shouldCutWhatIsUnderWayOnASecondSignal() throws Exception {
    server = serve(0, "--drain-timeout", "10m");
    try (WireClient client = new WireClient(server.port())) {
      client.beginWithoutRequest("api.EntroQ/Modify");
      // By the time of this answer that call is there.
      new V1(client).insert("q", "t");
      server.interrupt();
      until("it says that it ends", () -> server.errors().contains("Stopping: "));
      assertThat(server.isAlive()).isTrue();
      server.terminate();
      // Of two signals the first one counts, as that is when it began to end.
      assertThat(server.awaitEnd()).isEqualTo(INTERRUPTED);
      assertThat(server.errors()).contains("Some requests did not finish in time and were ended.");
    }
  }

  private ServerProcess serve(int port, String... options) throws IOException {
    String[] all = Arrays.copyOf(options, options.length + 2);
    all[options.length] = "--data";
    all[options.length + 1] = data.toString();
    return ServerProcess.start(port, all);
  }

  private static Status.Code code(ListenableFuture<ClaimResponse> claim)
      throws InterruptedException, TimeoutException {
    try {
      claim.get(30, TimeUnit.SECONDS);
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    }
  }
}
