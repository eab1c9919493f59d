package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.process.ShortLived;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.state.StateMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process under load is killed again and again, by a signal at any moment or by itself at a fault
 * point. What it had acknowledged is there afterwards, what it had deleted is not, and no version
 * of a task was ever given to two.
 */
class CrashIT {
  private static final int LINES_MAX = 400;

  /** All but the end, to which no child comes. */
  private static final List<FaultPoint> POINTS =
      List.copyOf(EnumSet.complementOf(EnumSet.of(FaultPoint.BEFORE_CLOSED_MARK)));

  @TempDir Path directory;

  private final Map<String, Integer> versions = new HashMap<>();
  private final Set<String> deletesBegun = new HashSet<>();
  private final Set<String> deleted = new HashSet<>();
  private final Set<String> deletedBefore = new HashSet<>();
  private final Set<String> givenOut = new HashSet<>();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void shouldLoseNothingAcknowledgedWhenKilledFiveTimes() throws Exception {
    killRepeatedly(5);
  }

  @Test
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void shouldLoseNothingAcknowledgedWhenKilledFiveHundredTimes() throws Exception {
    killRepeatedly(500);
  }

  private void killRepeatedly(int rounds) throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int firstPoint = random.nextInt(POINTS.size());
    int acknowledged = 0;
    for (int round = 0; round < rounds; round++) {
      FaultPoint point = POINTS.get((firstPoint + round / 2) % POINTS.size());
      acknowledged += runAndKill(round % 2 == 0, point, random);
      check(round);
    }
    System.out.printf("%d kills, %,d facts acknowledged%n", rounds, acknowledged);
    assertThat(acknowledged).isGreaterThan(rounds * 10);
  }

  /** A child is killed from outside, or dies at the fault point. */
  private int runAndKill(boolean isKilled, FaultPoint point, SplittableRandom random)
      throws Exception {
    Durability level = isKilled && random.nextBoolean() ? Durability.OS : Durability.DISK;
    Process child =
        start(
            level.name(),
            Long.toString(random.nextLong()),
            isKilled ? "NONE" : point.name(),
            Integer.toString(1 + random.nextInt(passesMax(point))));
    int lines = 1 + random.nextInt(LINES_MAX);
    try (BufferedReader told =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      return read(child, told, isKilled ? lines : Integer.MAX_VALUE);
    } finally {
      child.destroyForcibly();
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** How often a child comes by for certain. */
  private static int passesMax(FaultPoint point) {
    return switch (point) {
      case BEFORE_FIRST_COMMANDS, AFTER_CLOSED_MARK_REMOVED -> 1;
      case AFTER_ROLL,
          BEFORE_SNAPSHOT,
          BEFORE_SNAPSHOT_NAMED,
          AFTER_SNAPSHOT_NAMED,
          AFTER_SNAPSHOTS_REMOVED,
          AFTER_LOG_REMOVED ->
          3;
      default -> 100;
    };
  }

  private int read(Process child, BufferedReader told, int linesMax) throws IOException {
    StringBuilder line = new StringBuilder();
    int lines = 0;
    for (int c = told.read(); c >= 0; c = told.read()) {
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      lines += note(line.toString());
      line.setLength(0);
      if (lines == linesMax) {
        // Through the handle, which leaves the pipe open: what was told before still counts.
        child.toHandle().destroyForcibly();
      }
    }
    // What is left in the line was cut by the kill, and so was not told.
    return lines;
  }

  private int note(String line) {
    if (!line.startsWith("@")) {
      return 0;
    }
    String[] words = line.substring(1).split(" ", 3);
    String id = words[1];
    int version = Integer.parseInt(words[2]);
    switch (words[0]) {
      case "I", "C", "M" -> {
        assertThat(givenOut.add(id + "@" + version)).as("given out twice: %s", line).isTrue();
        // In one process threads tell what they know in any order.
        assertThat(deletedBefore.contains(id)).as("back from its deletion: %s", line).isFalse();
        versions.merge(id, version, Math::max);
      }
      case "B" -> deletesBegun.add(id);
      case "D" -> {
        deleted.add(id);
        versions.remove(id);
      }
      default -> throw new IllegalStateException("unknown line " + line);
    }
    return 1;
  }

  private void check(int round) {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      StateMachine machine = queue.engine().store().core().machine();
      assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
      Map<String, Task> tasks = new HashMap<>();
      Stream.of("work", "moved")
          .flatMap(name -> queue.tasks(TaskQuery.in(name)).stream())
          .forEach(task -> tasks.put(task.id().text(), task));
      assertThat(tasks.keySet()).as("round %d", round).doesNotContainAnyElementsOf(deleted);
      versions.forEach(
          (id, version) -> {
            Task task = tasks.get(id);
            if (task == null) {
              assertThat(deletesBegun).as("lost in round %d", round).contains(id);
            } else {
              assertThat(task.version())
                  .as("%s in round %d", id, round)
                  .isGreaterThanOrEqualTo(version);
            }
          });
      versions.keySet().retainAll(tasks.keySet());
      deletedBefore.addAll(deleted);
    }
  }

  private Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--") || flag.startsWith("-Dchronicle")) {
        command.add(flag);
      }
    }
    command.addAll(ShortLived.FLAGS);
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.add(CrashChild.class.getName());
    command.add(directory.toString());
    command.addAll(List.of(args));
    Path errors = Files.createTempFile("crash-child", ".log");
    errors.toFile().deleteOnExit();
    return new ProcessBuilder(command).redirectError(Redirect.appendTo(errors.toFile())).start();
  }
}
