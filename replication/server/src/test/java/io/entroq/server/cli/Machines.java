package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Network namespaces that look like machines 10.231.76.1, 10.231.76.2 and so on in one physical
 * network, which this process is in too. Needs root. Leaves nothing behind. One thread.
 */
final class Machines implements AutoCloseable {
  static final String NETWORK = "10.231.76.";

  private static final int OWN_HOST = 254;
  private static final int SECONDS_MAX = 60;

  private static final String PROBE =
      "exec 3<>/dev/udp/$0/$1 || exit 2\n"
          + "for i in 1 2 3 4 5; do\n"
          + "  echo x >&3 || exit 0\n"
          // A time-out is above 128; less is the error that the port is closed.
          + "  read -t 0.2 -u 3; [ $? -gt 128 ] || exit 0\n"
          + "done\n"
          + "exit 1";

  private final String prefix = "eqm" + ProcessHandle.current().pid() % 100_000;
  private final int count;
  private final Thread atExit = new Thread(this::remove, "remove namespaces");

  private Machines(int count) {
    this.count = count;
  }

  /** Why there can be none here; empty if there can. */
  static Optional<String> missing(String... tools) throws IOException {
    if (!"root".equals(System.getProperty("user.name"))) {
      return Optional.of("network namespaces need root");
    }
    for (String tool : tools) {
      if (Stream.of(System.getenv("PATH").split(":", -1))
          .noneMatch(folder -> Files.isExecutable(Path.of(folder, tool)))) {
        return Optional.of("the command " + tool + " is missing");
      }
    }
    try (Machines one = new Machines(1)) {
      one.make();
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of("network namespaces cannot be made here");
    }
  }

  static Machines make(int count) throws IOException {
    Machines machines = new Machines(count);
    Runtime.getRuntime().addShutdownHook(machines.atExit);
    boolean isMade = false;
    try {
      machines.make();
      isMade = true;
      return machines;
    } finally {
      if (!isMade) {
        machines.close();
      }
    }
  }

  private void make() throws IOException {
    run("ip link add " + bridge() + " type bridge");
    run("ip addr add " + address(OWN_HOST - 1) + "/24 dev " + bridge());
    run("ip link set " + bridge() + " up");
    for (int id = 0; id < count; id++) {
      String outer = prefix + "v" + id;
      run("ip netns add " + name(id));
      run("ip link add " + outer + " type veth peer name eth0 netns " + name(id));
      run("ip link set " + outer + " master " + bridge() + " up");
      in(id, "ip addr add " + address(id) + "/24 dev eth0");
      in(id, "ip link set eth0 up");
      in(id, "ip link set lo up");
    }
  }

  /** The physical address of a machine, from 0. */
  String address(int id) {
    return NETWORK + (id + 1);
  }

  /** What a command on a machine begins with. */
  List<String> launcher(int id) {
    return List.of("ip", "netns", "exec", name(id));
  }

  /** Runs a command of words on a machine; returns what it prints. */
  String in(int id, String command) throws IOException {
    return run("ip netns exec " + name(id) + " " + command);
  }

  /**
   * Whether UDP packets from a machine reach an address: then the system there answers that the
   * port is closed.
   */
  boolean isClosed(int from, String host, int port) throws IOException {
    Process probe =
        new ProcessBuilder(
                Stream.concat(
                        launcher(from).stream(),
                        Stream.of("bash", "-c", PROBE, host, Integer.toString(port)))
                    .toList())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int status = exit(probe);
    assertThat(status).as("of the probe").isLessThan(2);
    return status == 0;
  }

  private String bridge() {
    return prefix + "b";
  }

  private String name(int id) {
    return prefix + "n" + id;
  }

  private static String run(String command) throws IOException {
    Path output = Files.createTempFile("command", ".log");
    try {
      Process process =
          new ProcessBuilder(command.split(" ", 0))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      int status = exit(process);
      String text = Files.readString(output);
      assertThat(status).as(() -> command + ": " + text).isZero();
      return text;
    } finally {
      Files.delete(output);
    }
  }

  private static int exit(Process process) {
    process.onExit().completeOnTimeout(process, SECONDS_MAX, TimeUnit.SECONDS).join();
    process.destroyForcibly();
    return process.onExit().join().exitValue();
  }

  private void remove() {
    for (int id = 0; id < count; id++) {
      // A namespace lives as long as a process in it, such as wireguard-go.
      tryRun("ip netns pids " + name(id))
          .lines()
          .map(Long::valueOf)
          .flatMap(pid -> ProcessHandle.of(pid).stream())
          .forEach(ProcessHandle::destroy);
      // Its interfaces go with it.
      tryRun("ip netns del " + name(id));
    }
    tryRun("ip link del " + bridge());
  }

  /** Prints nothing if there is nothing to remove. */
  private static String tryRun(String command) {
    try {
      return run(command);
    } catch (IOException | AssertionError e) {
      return "";
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    remove();
  }
}
