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

/** Programs that are installed on this machine. */
public final class Programs {
  private static final int PATIENCE_SECONDS = 10;

  private Programs() {}

  /** Why a program cannot be used; empty if it can. */
  public static Optional<String> absence(String name) {
    return find(name).isPresent() ? Optional.empty() : Optional.of(name + " is not installed");
  }

  /**
   * Where a program is: at its path, in PATH, or where servers are put that are not for everybody.
   */
  public static Optional<Path> find(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Arrays.stream(path.split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
        // A name that is a path stays as it is.
        .map(directory -> Path.of(directory).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The first line that a program prints. */
  public static String firstLine(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + " does not end");
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output.lines().findFirst().orElse("").strip();
  }
}
