package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server as a process, with a queue in memory. For one thread. */
final class ServedQueue extends QueueApi implements AutoCloseable {
  private static final Pattern HTTP = Pattern.compile("HTTP on port (\\d+); .*");
  private static final int END_SECONDS_MAX = 60;

  private final Process process;

  private ServedQueue(Process process, int port) {
    super(port);
    this.process = process;
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @param options of the command, except the addresses to listen on
   */
  static ServedQueue start(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                System.getProperty("entroq.test.jar"),
                "serve",
                "--host=127.0.0.1",
                "--port=0",
                "--http-port=0",
                "--warm-up=0"));
    command.addAll(List.of(options));
    // A file, since a full pipe would block the server.
    Path errors = Files.createTempFile("server", ".log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher http = HTTP.matcher(line);
      if (http.matches()) {
        return new ServedQueue(process, Integer.parseInt(http.group(1)));
      }
    }
    throw new IOException("the server did not start: " + Files.readString(errors));
  }

  /** Stops the process without ending it. */
  void hang() {
    signal("-STOP", process.toHandle());
  }

  /** Lets it go on after {@link #hang}. */
  void goOn() {
    signal("-CONT", process.toHandle());
  }

  static void signal(String name, ProcessHandle process) {
    String pid = Long.toString(process.pid());
    try {
      assertThat(new ProcessBuilder("kill", name, pid).start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("cannot send " + name, e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
