package io.entroq.perf.peers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void shouldTellTheLastLinesWhenItEndsInsteadOfListening() throws Exception {
    try (ChildProcess child = shell("echo one; echo 'no room' >&2; exit 3")) {
      assertThatThrownBy(() -> child.awaitReady(LONG, () -> false))
          .isInstanceOf(IOException.class)
          .hasMessage("server ended with 3: one / no room");
    }
  }

  @Test
  void shouldTellWhenItIsNotReadyInTime() throws Exception {
    try (ChildProcess child = shell("sleep 1000")) {
      assertThatThrownBy(() -> child.awaitReady(Duration.ZERO, () -> false))
          .isInstanceOf(TimeoutException.class)
          .hasMessageStartingWith("server is not ready after 0 s");
    }
  }

  @Test
  void shouldKillWhatItHasStartedAlsoWhileItIsStopped() throws Exception {
    Path pid = directory.resolve("pid");
    try (ChildProcess child = shell("sleep 1000 & echo $! > made; mv made pid; wait")) {
      child.awaitReady(LONG, () -> Files.exists(pid));
      child.stop();
      child.resume();
      child.stop();
    }
    long grandchild = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(grandchild).ifPresent(handle -> handle.onExit().join());
    assertThat(ProcessHandle.of(grandchild).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void shouldSeeWhetherSomebodyListens() throws IOException {
    int port = Ports.free();
    assertThat(Ports.isOpen(port)).isFalse();
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.isOpen(socket.getLocalPort())).isTrue();
    }
  }

  @Test
  void shouldFindProgramsInPathAndByTheirPaths() {
    assertThat(InstalledPrograms.absence("sh")).isEmpty();
    assertThat(InstalledPrograms.absence("/bin/sh")).isEmpty();
    assertThat(InstalledPrograms.absence("no-such-program"))
        .contains("no-such-program is not installed");
    assertThat(InstalledPrograms.absence("/no/such/program"))
        .contains("/no/such/program is not installed");
  }

  private ChildProcess shell(String command) throws IOException {
    return ChildProcess.start("server", directory, Map.of(), List.of("sh", "-c", command));
  }
}
