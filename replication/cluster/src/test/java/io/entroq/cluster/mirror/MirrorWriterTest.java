package io.entroq.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MirrorWriterTest {
  /** Much longer than the thread needs to write a snapshot. */
  private static final Duration LONG = Duration.ofMillis(300);

  @TempDir Path temporary;

  /** A restart deletes all files, including those of a snapshot being written. */
  @Test
  void shouldStartNoSnapshotBeforeAPendingRestart() throws IOException {
    MirrorRecords.Entry last =
        MirrorRecords.of(temporary.resolve("source"), 1, 10).between(0, 1).get(0);
    Path directory = Files.createDirectory(temporary.resolve("member"));
    MirrorConfig config = MirrorConfig.DEFAULT;
    try (DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid());
        StateMachine machine = Mirrored.newMachine()) {
      apply(last, machine);
      MirrorStore store =
          new MirrorStore(
              directory, lock, ImageStore.read(directory, Forcer.DISK), ChronicleLog.RUNS, config);
      store.verify();
      MirrorQueue queue = new MirrorQueue(config.queueBytes());
      MirrorWriter writer = new MirrorWriter(store, queue);
      writer.start();

      MirrorSnapshot seed = new MirrorSnapshot(machine.freeze());
      writer.restart(seed, null);
      // The cluster needs the state, and another snapshot follows.
      seed.abandon();
      machine.thaw();
      MirrorSnapshot next = new MirrorSnapshot(machine.freeze());
      writer.continueAfter(next.sequence());
      writer.snapshot(next);
      assertThat(next.await(LONG)).isFalse();
      assertThat(snapshots(directory)).isEmpty();

      last.giveTo(
          (type, sequence, timeMs, crc, payload, offset, length) ->
              queue.offer(true, type, 0, sequence, timeMs, crc, payload, offset, length));
      next.await();
      machine.thaw();
      writer.close();
      assertThat(next.isWritten()).isTrue();
      assertThat(snapshots(directory))
          .extracting(Snapshot::sequence)
          .containsExactly(next.sequence());
    }
  }

  private static void apply(MirrorRecords.Entry record, StateMachine machine) {
    record.giveTo(
        (type, sequence, timeMs, crc, payload, offset, length) ->
            machine.apply(
                type, payload, offset, length, crc, timeMs, sequence, ResultSink.DISCARDING));
  }

  private static List<Snapshot> snapshots(Path directory) {
    return new SnapshotDirectory(directory, Forcer.DISK).newestFirst();
  }
}
