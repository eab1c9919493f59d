package io.entroq.system.scenario;

import io.entroq.system.history.History;
import io.entroq.system.history.HistoryLine;
import io.entroq.system.load.ClientMain;
import io.entroq.system.member.Java;
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

/** Workers in processes, each of which is killed with what it has under way. For one thread. */
final class MortalCallers {
  private static final Duration LIFE_MIN = Duration.ofSeconds(3);
  private static final Duration START_MAX = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration LIFE_MORE = Duration.ofSeconds(5);
  private static final String LEASE_MAX_MS = "4000";

  private final Set<String> dead = new HashSet<>();
  private final List<Path> files = new ArrayList<>();

  /** Lets one live for some seconds. */
  void oneMore(Stage stage) throws Exception {
    String name = "m" + dead.size();
    Path directory = stage.cluster().config().directory();
    Path file = directory.resolve("history-" + name);
    List<String> args = new ArrayList<>();
    args.add(file.toString());
    args.add(name);
    args.add(Long.toString(stage.random().nextLong()));
    args.add(Long.toString(Crew.CALL_TIMEOUT.toMillis()));
    args.add(LEASE_MAX_MS);
    args.addAll(stage.cluster().servers());
    ProcessBuilder command =
        new ProcessBuilder(Java.command(List.of(), ClientMain.class, args.toArray(String[]::new)))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(directory.resolve(name + ".log").toFile());
    dead.add(name);
    files.add(file);
    Process process = command.start();
    try {
      awaitWork(stage, process, file);
      stage.work(LIFE_MIN.plus(stage.upTo(LIFE_MORE)));
    } finally {
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  /** A process that is killed before it has asked anything proves nothing. */
  private static void awaitWork(Stage stage, Process process, Path file) throws Exception {
    long endNs = System.nanoTime() + START_MAX.toNanos();
    while (!Files.exists(file) || Files.size(file) == 0) {
      if (!process.isAlive() || System.nanoTime() - endNs > 0) {
        throw new IllegalStateException("a caller in a process of its own does not begin: " + file);
      }
      stage.work(LOOK);
    }
  }

  /** Whoever has died. */
  Set<String> dead() {
    return Set.copyOf(dead);
  }

  /** What they asked and were told. */
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
    return HistoryLine.read(lines);
  }
}
