package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.server.service.grpc.V1;
import io.entroq.server.service.grpc.WireClient;
import io.grpc.Status;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server as a process of its own. */
@Timeout(60)
class ServeCommandTest {
  private static final Pattern START =
      Pattern.compile("Starting EntroQ server (\\d+) -> (.*), durability (\\w+)");

  @TempDir private Path data;
  private final List<Process> servers = new ArrayList<>();

  @AfterEach
  void kill() {
    servers.forEach(Process::destroyForcibly);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldKeepTasksAndAskWaitingCallersToComeAgainWhenItIsToEnd() throws Exception {
    Process first = serve();
    Task task;
    try (WireClient client = new WireClient(port(first))) {
      V1 v1 = new V1(client);
      task = v1.insert("q", "t");
      ListenableFuture<ClaimResponse> claim = v1.beginClaim(V1.claim("c", "empty").build());
      // By the time of this answer the claim waits.
      v1.task("t");
      // SIGTERM.
      first.toHandle().destroy();
      assertThat(code(claim)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
    assertThat(first.waitFor()).isEqualTo(128 + 15);
    assertThat(first.errorReader().lines()).isEmpty();

    Process second = serve();
    try (WireClient client = new WireClient(port(second))) {
      assertThat(new V1(client).task("t")).isEqualTo(task);
    }
  }

  @Test
  void shouldRefuseAPortThatIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Cli.run("serve", "--port", port).assertFailed("cannot listen on port " + port);
    }
  }

  private Process serve() throws Exception {
    Process server = Java.start(Main.class, "serve", "--data", data.toString(), "--port", "0");
    servers.add(server);
    return server;
  }

  private int port(Process server) throws Exception {
    String line = server.inputReader().readLine();
    assertThat(line).as("what the server says first").isNotNull();
    Matcher start = START.matcher(line);
    assertThat(start.matches()).as(line).isTrue();
    assertThat(start.group(2)).isEqualTo(data.toString());
    assertThat(start.group(3)).isEqualTo("disk");
    return Integer.parseInt(start.group(1));
  }

  private static Status.Code code(ListenableFuture<ClaimResponse> claim) throws Exception {
    try {
      claim.get(30, TimeUnit.SECONDS);
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    }
  }
}
