package io.entroq.perf.peers.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds programs on this machine. */
public final class InstalledPrograms {
  private static final int LIMIT_SECONDS = 10;

  private InstalledPrograms() {}

  /** Why a program is not available; empty if it is. */
  public static Optional<String> absence(String name) {
    return find(name).isPresent() ? Optional.empty() : Optional.of(name + " is not installed");
  }

  /** Finds a program by its path, in PATH, or in the directories for servers. */
  public static Optional<Path> find(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Arrays.stream(path.split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
        // An absolute name stays as it is.
        .map(directory -> Path.of(directory).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The first line of a program's output. */
  public static String firstLine(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + " does not end");
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output.lines().findFirst().orElse("").strip();
  }
}
