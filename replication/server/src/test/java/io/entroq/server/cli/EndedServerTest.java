package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.server.service.grpc.V1;
import io.entroq.server.service.grpc.WireClient;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server that is asked to end while it has much to do, and begins again. */
@Timeout(60)
class EndedServerTest {
  private static final int CALLERS = 8;
  private static final int INSERTS_LEAST = 20;

  @TempDir private Path data;
  private final List<Process> servers = new ArrayList<>();
  private final Set<String> inserted = ConcurrentHashMap.newKeySet();
  private final Set<Status.Code> seen = ConcurrentHashMap.newKeySet();
  private final CountDownLatch busy = new CountDownLatch(CALLERS);
  private final CountDownLatch ended = new CountDownLatch(CALLERS);
  private final AtomicBoolean isRestarted = new AtomicBoolean();

  @AfterEach
  void kill() {
    servers.forEach(Process::destroyForcibly);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLoseNothingAndNobody() throws Exception {
    int port = serve(0);
    for (int caller = 0; caller < CALLERS; caller++) {
      String name = "caller" + caller;
      new Thread(() -> insert(port, name), name).start();
    }
    assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
    // SIGTERM.
    servers.get(0).toHandle().destroy();
    assertThat(servers.get(0).waitFor()).isEqualTo(128 + 15);
    assertThat(serve(port)).isEqualTo(port);
    isRestarted.set(true);
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    try (WireClient client = new WireClient(port)) {
      Set<String> kept =
          new V1(client)
              .tasks(TasksRequest.newBuilder().setQueue("q").setOmitValues(true)).stream()
                  .map(Task::getId)
                  .collect(Collectors.toSet());
      assertThat(kept).isEqualTo(inserted);
    }
    assertThat(seen).isSubsetOf(Status.Code.UNAVAILABLE, Status.Code.NOT_FOUND);
  }

  /** Inserts one task after the other, each until it is known to be there. */
  private void insert(int port, String name) {
    try (WireClient client = new WireClient(port)) {
      V1 v1 = new V1(client);
      int afterwards = 0;
      for (int i = 0; afterwards < INSERTS_LEAST; i++) {
        boolean isAfterwards = isRestarted.get();
        insertOnce(v1, name + "-" + i);
        inserted.add(name + "-" + i);
        if (i == INSERTS_LEAST) {
          busy.countDown();
        }
        afterwards += isAfterwards ? 1 : 0;
      }
      ended.countDown();
    }
  }

  private void insertOnce(V1 v1, String id) {
    while (true) {
      try {
        v1.insert("q", id);
        return;
      } catch (StatusRuntimeException e) {
        seen.add(e.getStatus().getCode());
        if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
          // It is there: the answer was lost.
          return;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  private int serve(int port) throws Exception {
    Process server =
        Java.start(
            Main.class,
            "serve",
            "--data",
            data.toString(),
            "--port",
            Integer.toString(port),
            "--http-port",
            "0");
    servers.add(server);
    String line = server.inputReader().readLine();
    assertThat(line).startsWith("Starting EntroQ server ");
    return Integer.parseInt(line.split(" ", 0)[3]);
  }
}
