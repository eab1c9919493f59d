package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes that short commands load, which is most of what they spend processor time on. */
class LoadedClassesIT {
  private static final String[] NATIVE_ACCESS = {
    "jnr.", "com.sun.jna.", "com.kenai.", "org.agrona."
  };

  @TempDir private Path temporary;

  @Test
  void shouldLoadNeitherCommandsNorLibrariesForTheVersion() throws Exception {
    List<String> loaded = loadedBy("--version");
    assertNone(loaded, NATIVE_ACCESS);
    assertNone(
        loaded,
        "io.grpc.",
        "com.google.",
        "io.netty.",
        "com.fasterxml.",
        "org.slf4j.",
        "org.jline.");
    assertNone(loaded, "java.util.logging.Logger", "io.entroq.server.settings.");
    assertThat(loaded)
        .noneMatch(name -> name.matches("io[.]entroq[.]server[.]cli[.](.*[.])?[A-Z]\\w*Command"));
  }

  @Test
  void shouldLoadNoEngineAndNoOtherCommandForARequestToAServer() throws Exception {
    List<String> loaded;
    try (EmbeddedEntroQ engine = EmbeddedEntroQ.inMemory();
        GrpcServer server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0))) {
      loaded = loadedBy("stats", "-s", "127.0.0.1:" + server.port());
    }
    assertNone(loaded, NATIVE_ACCESS);
    assertNone(
        loaded,
        "net.openhft.",
        "jdk.jfr.internal.EventControl",
        "org.yaml.",
        "io.micrometer.",
        "org.jline.");
    assertNone(
        loaded, "io.entroq.engine.embedded.", "io.entroq.engine.state.", "io.entroq.service.");
    assertNone(loaded, "io.entroq.server.serving.", "io.entroq.server.settings.ServerSettings");
    assertThat(loaded)
        .filteredOn(name -> name.matches("io[.]entroq[.]server[.]cli[.](.*[.])?[A-Z]\\w*Command"))
        .containsExactlyInAnyOrder(
            "io.entroq.server.cli.queue.StatsCommand", "io.entroq.server.cli.queue.TargetCommand");
  }

  private static void assertNone(List<String> loaded, String... prefixes) {
    for (String prefix : prefixes) {
      assertThat(loaded).filteredOn(name -> name.startsWith(prefix)).isEmpty();
    }
  }

  private List<String> loadedBy(String... args) throws Exception {
    Path log = temporary.resolve("classes");
    ProcessBuilder command = Java.command(Main.class, args);
    List<String> words = new ArrayList<>(command.command());
    words.add(1, "-Xlog:class+load:file=" + log + "::filecount=0");
    words.removeIf(word -> word.startsWith("-D"));
    Process process = command.command(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    List<String> loaded =
        Files.readAllLines(log).stream()
            .map(line -> line.replaceFirst("^(\\[[^]]*] ?)+", "").split(" ", 2)[0])
            .toList();
    assertThat(loaded).contains("io.entroq.server.cli.Main");
    return loaded;
  }
}
