package io.entroq.perf.served;

import io.entroq.perf.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server in a process of its own. For one thread. */
public final class ServerProcess implements AutoCloseable {
  private static final List<String> FLAGS = List.of("-Xmx2g", "-XX:MaxDirectMemorySize=4g");

  private final JavaProcess process;
  private final int port;

  /**
   * @param args as {@link ServerMain} takes them
   */
  private ServerProcess(String classPath, List<String> args) throws IOException {
    this(classPath, FLAGS, args);
  }

  private ServerProcess(String classPath, List<String> flags, List<String> args)
      throws IOException {
    process = new JavaProcess(classPath, flags, ServerMain.class, args);
    String rest = process.await(ServerMain.GREETING);
    port = Integer.parseInt(rest.substring(0, rest.indexOf(' ')));
  }

  static ServerProcess echo() throws IOException {
    return new ServerProcess(JavaProcess.CLASS_PATH, List.of("echo"));
  }

  /** An echo that forces a file before it answers. */
  static ServerProcess echo(Path file) throws IOException {
    return new ServerProcess(JavaProcess.CLASS_PATH, List.of("echo", file.toString()));
  }

  /** An EntroQ server of this build. */
  public static ServerProcess entroq(Path data, String durability) throws IOException {
    return entroq(JavaProcess.CLASS_PATH, data, durability);
  }

  /** An EntroQ server from another class path, which must contain {@link ServerMain}. */
  static ServerProcess entroq(String classPath, Path data, String durability) throws IOException {
    return new ServerProcess(
        classPath,
        List.of(
            "serve", "--data=" + data, "--durability=" + durability, "--port=0", "--http-port=0"));
  }

  /** An EntroQ server of this build that keeps its queue in memory, with a console. */
  static ServerProcess inMemory(int httpPort, List<String> flags) throws IOException {
    return new ServerProcess(
        JavaProcess.CLASS_PATH, flags, List.of("serve", "--port=0", "--http-port=" + httpPort));
  }

  public int port() {
    return port;
  }

  /** Its memory after a garbage collection. */
  Memory memory() throws IOException {
    String[] figures = figures();
    List<String> status = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
    return new Memory(
        Long.parseLong(figures[0]),
        Long.parseLong(figures[1]),
        bytes(status, "VmRSS:"),
        bytes(status, "RssAnon:"));
  }

  /** How long its compilers have worked. */
  Duration compileTime() throws IOException {
    return Duration.ofMillis(Long.parseLong(figures()[2]));
  }

  private String[] figures() throws IOException {
    process.write("");
    return process.await(ServerMain.FIGURES).split(" ");
  }

  private static long bytes(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }

  Duration processorTime() {
    return process.processorTime();
  }

  @Override
  public void close() {
    process.close();
  }

  /**
   * The memory of a server, in bytes.
   *
   * @param heap live objects
   * @param direct buffers outside the heap, which hold tasks
   * @param resident as the kernel counts it, with the pages of mapped files
   * @param anonymous the same without them
   */
  record Memory(long heap, long direct, long resident, long anonymous) {
    Memory minus(Memory before) {
      return new Memory(
          heap - before.heap,
          direct - before.direct,
          resident - before.resident,
          anonymous - before.anonymous);
    }
  }
}
