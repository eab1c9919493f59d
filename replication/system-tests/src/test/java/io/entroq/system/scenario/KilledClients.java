package io.entroq.system.scenario;

import io.entroq.system.history.History;
import io.entroq.system.history.HistoryFormat;
import io.entroq.system.load.ClientMain;
import io.entroq.system.member.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Workers in processes that are killed in the middle of operations. For one thread. */
final class KilledClients {
  private static final Duration LIFE_MIN = Duration.ofSeconds(3);
  private static final Duration START_MAX = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LIFE_MORE = Duration.ofSeconds(5);
  private static final String LEASE_MAX_MS = "4000";

  private final Set<String> dead = new HashSet<>();
  private final List<Path> files = new ArrayList<>();

  /** Runs a worker for some seconds and kills it. */
  void runOne(FaultContext context) throws Exception {
    String name = "m" + dead.size();
    Path directory = context.cluster().config().directory();
    Path file = directory.resolve("history-" + name);
    List<String> args = new ArrayList<>();
    args.add(file.toString());
    args.add(name);
    args.add(Long.toString(context.random().nextLong()));
    args.add(Long.toString(WorkerPool.CALL_TIMEOUT.toMillis()));
    args.add(LEASE_MAX_MS);
    args.addAll(context.cluster().servers());
    ProcessBuilder command =
        new ProcessBuilder(
                JavaCommand.command(List.of(), ClientMain.class, args.toArray(String[]::new)))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(directory.resolve(name + ".log").toFile());
    dead.add(name);
    files.add(file);
    Process process = command.start();
    try {
      awaitWork(context, process, file);
      context.work(LIFE_MIN.plus(context.upTo(LIFE_MORE)));
    } finally {
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  /** A process that is killed before its first operation would prove nothing. */
  private static void awaitWork(FaultContext context, Process process, Path file) throws Exception {
    long endNs = System.nanoTime() + START_MAX.toNanos();
    while (!Files.exists(file) || Files.size(file) == 0) {
      if (!process.isAlive() || System.nanoTime() - endNs > 0) {
        throw new IllegalStateException("a caller in a process of its own does not begin: " + file);
      }
      context.work(POLL);
    }
  }

  Set<String> dead() {
    return Set.copyOf(dead);
  }

  History history() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files) {
      if (Files.exists(file)) {
        // The last line may be cut off anywhere.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        lines.addAll(Arrays.asList(whole.split("\n", -1)));
      }
    }
    return HistoryFormat.read(lines);
  }
}
