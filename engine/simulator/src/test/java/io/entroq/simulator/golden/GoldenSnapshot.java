package io.entroq.simulator.golden;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.LoggedRecord;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The golden snapshot of a behavior level: a state within the level's golden log. */
final class GoldenSnapshot {
  private static final String SNAPSHOTS = "snapshots";

  private static final int TASKS_MIN = 100;

  private GoldenSnapshot() {}

  /**
   * Replays the log to where, at the level itself, a step first leaves work to the next one, and
   * writes that state down: as much as there can be is under way then.
   */
  static void write(GoldenLog log, int level, Path folder) throws IOException {
    if (Files.exists(folder.resolve(SNAPSHOTS))) {
      throw new IOException(
          "there is a golden snapshot in " + folder + "; it stays as it is, for ever");
    }
    GoldenReplay replay = new GoldenReplay();
    for (LoggedRecord record : log.records()) {
      replay.apply(record);
      if (replay.machine().level() == level && hasMuchUnderWay(replay.machine())) {
        write(replay.machine(), folder);
        return;
      }
    }
    throw new IOException("no step of the golden log of level " + level + " leaves work behind");
  }

  static boolean hasUnfinishedWork(StateMachine machine) {
    return machine.nextDeadlineMs() <= machine.logTimeMs();
  }

  private static boolean hasMuchUnderWay(StateMachine machine) {
    return hasUnfinishedWork(machine)
        && machine.parkedCount() > 0
        && machine.clientCount() > 1
        && machine.taskCount() > TASKS_MIN;
  }

  private static void write(StateMachine machine, Path folder) {
    FrozenState frozen = machine.freeze();
    new SnapshotWriter(new SnapshotDirectory(folder, Forcer.DISK), 0)
        .write(frozen, sequence -> {}, () -> false, written -> {});
    machine.thaw();
  }

  /** Copies the checked-in snapshot of a level into a data directory. */
  static void copy(int level, Path data) throws IOException {
    Path from = folder(level);
    List<Path> files;
    try (Stream<Path> walk = Files.walk(from)) {
      files = walk.toList();
    }
    for (Path file : files) {
      Files.copy(file, data.resolve(SNAPSHOTS).resolve(from.relativize(file).toString()));
    }
  }

  private static Path folder(int level) throws IOException {
    String path = "/" + GoldenLog.folder(level) + "/" + SNAPSHOTS;
    URL found = GoldenSnapshot.class.getResource(path);
    if (found == null) {
      throw new IOException("no resource " + path);
    }
    try {
      return Path.of(found.toURI());
    } catch (URISyntaxException e) {
      throw new IOException("no folder: " + found, e);
    }
  }
}
