package io.entroq.engine.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine takes to be on the disk is there before the directory is its own. */
class DetachmentTest {
  @TempDir private Path directory;
  private final Set<Path> forced = new HashSet<>();
  private int forces;

  /** Two runs, each with a snapshot behind it, and nothing forced of those. */
  @BeforeEach
  void makeMirror() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
        queue.modify(Modification.insert("inbox", "a task")).orThrow();
      }
      takeSnapshot();
    }
    Files.createFile(directory.resolve(ClusterMemberMarker.FILE_NAME));
  }

  private void takeSnapshot() {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory, (what, action) -> {});
    StateRecovery recovery =
        new StateRecovery(
            LogDirectory.read(directory),
            snapshots,
            HolePolicy.REFUSE,
            Forcer.DISK,
            StateMachineConfig.DEFAULT,
            SnapshotWarning::log);
    try (StateMachine machine = recovery.recover(ResultSink.DISCARDING).machine()) {
      new SnapshotWriter(snapshots, 0)
          .write(machine.freeze(), sequence -> {}, () -> false, bytes -> {});
      machine.thaw();
    }
  }

  /** Remembers what is forced as long as the directory is a member's; one force may fail. */
  private void force(int failing, String what, Forcer.Action action) throws IOException {
    forces++;
    if (forces == failing) {
      throw new IOException("the disk refuses");
    }
    action.run();
    if (ClusterMemberMarker.isIn(directory)) {
      forced.add(Path.of(what));
    }
  }

  private Detachment detachment(int failing) {
    return new Detachment(directory, (what, action) -> force(failing, what, action));
  }

  @Test
  void shouldForceLogAndSnapshotsBeforeTheDirectoryIsAnEngines() throws IOException {
    Set<Path> needed = needed();
    assertThat(needed).hasSizeGreaterThanOrEqualTo(13);
    detachment(0).run();
    assertThat(ClusterMemberMarker.isDetached(directory)).isTrue();
    assertThat(forced).containsAll(needed);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 2L);
    }
  }

  /** Segments, the files of snapshots, and every directory that has one of their names. */
  private Set<Path> needed() throws IOException {
    Set<Path> needed = new HashSet<>(Set.of(directory));
    for (String part : Set.of("log", "snapshots")) {
      try (Stream<Path> walk = Files.walk(directory.resolve(part))) {
        needed.addAll(
            walk.filter(path -> !path.toString().endsWith(".cq4t")).collect(Collectors.toSet()));
      }
    }
    return needed;
  }

  @Test
  void shouldLeaveTheDirectoryAMembersWhenAnyForceFails() throws IOException {
    detachment(0).run();
    int all = forces;
    assertThat(all).isGreaterThanOrEqualTo(13);
    Files.move(
        directory.resolve(ClusterMemberMarker.DETACHED),
        directory.resolve(ClusterMemberMarker.FILE_NAME));
    for (int failing = 1; failing <= all; failing++) {
      forces = 0;
      Detachment detachment = detachment(failing);
      assertThatThrownBy(detachment::run).as("force %d", failing).isInstanceOf(LogException.class);
      assertThat(ClusterMemberMarker.isIn(directory)).as("force %d", failing).isTrue();
      assertThat(ClusterMemberMarker.isDetached(directory)).as("force %d", failing).isFalse();
    }
    detachment(0).run();
  }
}
