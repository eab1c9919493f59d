package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.OS;

/** A running server in its own process, on loopback. Not thread-safe. */
public final class ServerProcess implements AutoCloseable {
  private static final Pattern START = Pattern.compile("Starting EntroQ server (\\d+) -> (.*)");
  private static final Pattern HTTP = Pattern.compile("HTTP on port (\\d+); (.*)");
  private static final int END_SECONDS_MAX = 60;

  private final Process process;
  private final Path errors;
  private int port;
  private int httpPort;
  private String store;

  private ServerProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @param port 0: any
   * @param options of the command, except the addresses to listen on
   */
  public static ServerProcess start(int port, String... options) throws IOException {
    return start(List.of(), port, options);
  }

  /** The same, with additional JVM flags. */
  public static ServerProcess start(List<String> jvmFlags, int port, String... options)
      throws IOException {
    List<String> args =
        new ArrayList<>(List.of("serve", "--host", "127.0.0.1", "--port", Integer.toString(port)));
    args.addAll(List.of("--http-port", "0"));
    args.addAll(List.of(options));
    ProcessBuilder command = Java.command(Main.class, args.toArray(String[]::new));
    command.command().addAll(1, jvmFlags);
    if (OS.LINUX.isCurrentOs()) {
      command.command(Java.hearingInterrupt(command));
    }
    // A file, since a full pipe would block the server.
    Path errors = Files.createTempFile("server", ".log");
    ServerProcess server =
        new ServerProcess(command.redirectError(errors.toFile()).start(), errors);
    boolean isServing = false;
    try {
      server.awaitStart();
      isServing = true;
    } finally {
      if (!isServing) {
        server.close();
      }
    }
    return server;
  }

  private void awaitStart() throws IOException {
    Matcher start = nextLine(START);
    port = Integer.parseInt(start.group(1));
    store = start.group(2);
    httpPort = Integer.parseInt(nextLine(HTTP).group(1));
  }

  private Matcher nextLine(Pattern pattern) throws IOException {
    String line = process.inputReader().readLine();
    assertThat(line).as(() -> "output besides " + errors()).isNotNull();
    Matcher matcher = pattern.matcher(line);
    assertThat(matcher.matches()).as(line).isTrue();
    return matcher;
  }

  /** The gRPC port. */
  public int port() {
    return port;
  }

  public int httpPort() {
    return httpPort;
  }

  /** The description of its store and durability, as the server prints it. */
  public String store() {
    return store;
  }

  public long pid() {
    return process.pid();
  }

  /** Its log and standard error. */
  public String errors() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.toHandle().destroy();
  }

  /** Sends SIGINT, as Ctrl-C does. */
  public void interrupt() throws Exception {
    new ProcessBuilder("kill", "-INT", Long.toString(pid())).start().waitFor();
  }

  /** Sends SIGKILL and waits for the end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end. Returns the exit status. */
  public int awaitEnd() {
    try {
      assertThat(process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)).as(() -> errors()).isTrue();
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    Files.deleteIfExists(errors);
  }
}
