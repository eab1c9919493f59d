package io.entroq.perf.served;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with the flags of this one. For one thread. */
final class ServerProcess implements AutoCloseable {
  private static final long END_SECONDS_MAX = 20;
  private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

  private final Process process;
  private final BufferedReader output;
  private final Writer input;
  private final int port;

  /**
   * @param classPath where the server is
   * @param args as {@link ServerMain} takes them
   */
  private ServerProcess(String classPath, List<String> args) throws IOException {
    process =
        new ProcessBuilder(command(classPath, args))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    String rest = await(ServerMain.GREETING);
    port = Integer.parseInt(rest.substring(0, rest.indexOf(' ')));
  }

  static ServerProcess echo() throws IOException {
    return new ServerProcess(OWN_CLASS_PATH, List.of("echo"));
  }

  /** One that answers when it has forced. */
  static ServerProcess echo(Path file) throws IOException {
    return new ServerProcess(OWN_CLASS_PATH, List.of("echo", file.toString()));
  }

  /** Our server. */
  static ServerProcess entroq(Path data, String durability) throws IOException {
    return entroq(OWN_CLASS_PATH, data, durability);
  }

  /** Our server as it is on some class path, together with {@link ServerMain}. */
  static ServerProcess entroq(String classPath, Path data, String durability) throws IOException {
    return new ServerProcess(
        classPath,
        List.of(
            "serve",
            "--data",
            data.toString(),
            "--durability",
            durability,
            "--port",
            "0",
            "--http-port",
            "0"));
  }

  private static List<String> command(String classPath, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--add-")) {
        command.add(flag);
      }
    }
    command.add("-Xmx2g");
    command.add("-XX:MaxDirectMemorySize=4g");
    command.addAll(List.of("-cp", classPath, ServerMain.class.getName()));
    command.addAll(args);
    return command;
  }

  private String await(String beginning) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
    }
    throw new IOException("a server ended before it said \"" + beginning + "\"");
  }

  int port() {
    return port;
  }

  /** What it takes once garbage is collected. */
  ServerMemory memory() throws IOException {
    String[] figures = figures();
    List<String> status = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
    return new ServerMemory(
        Long.parseLong(figures[0]),
        Long.parseLong(figures[1]),
        bytes(status, "VmRSS:"),
        bytes(status, "RssAnon:"));
  }

  /** For how long its compilers have worked. */
  Duration compileTime() throws IOException {
    return Duration.ofMillis(Long.parseLong(figures()[2]));
  }

  private String[] figures() throws IOException {
    input.write('\n');
    input.flush();
    return await(ServerMain.FIGURES).split(" ");
  }

  private static long bytes(List<String> status, String field) {
    for (String line : status) {
      if (line.startsWith(field)) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IllegalStateException("the kernel tells nothing of " + field);
  }

  /** The time that it has had of processors. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
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
