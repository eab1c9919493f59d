package io.entroq.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Whatever happens, and whenever: the old set is there or the new one. */
class SnapshotCrashTest extends SnapshotTestBase {
  private static final int STEPS_LEAST = 9;

  @Test
  void shouldLeaveTheOldSetOrTheNewWhenKilledWhileWriting() throws IOException {
    int step = 1;
    for (BrokenFiles files = BrokenFiles.killedAt(step); ; files = BrokenFiles.killedAt(++step)) {
      Path home = Files.createDirectory(data.resolve("killed-" + step));
      write(new SnapshotDirectory(home, BrokenFiles.failingAt(0)), ToySource.small(1));
      SnapshotDirectory dying = new SnapshotDirectory(home, files);
      boolean isWritten = isWritten(dying);
      SnapshotDirectory reopened = new SnapshotDirectory(home, BrokenFiles.failingAt(0));
      assertWhole(reopened, isWritten);
      reopened.removeUnfinished();
      assertThat(names(home)).doesNotContain(".tmp");
      if (!files.isBroken()) {
        break;
      }
      if (sequences(reopened).size() == 1) {
        write(reopened, ToySource.small(2));
      }
      assertWhole(reopened, true);
    }
    assertThat(step).isGreaterThan(STEPS_LEAST);
  }

  @Test
  void shouldLeaveTheOldSetWhenAStepFails() throws IOException {
    int step = 1;
    for (BrokenFiles files = BrokenFiles.failingAt(step); ; files = BrokenFiles.failingAt(++step)) {
      Path home = Files.createDirectory(data.resolve("failed-" + step));
      write(new SnapshotDirectory(home, BrokenFiles.failingAt(0)), ToySource.small(1));
      SnapshotDirectory directory = new SnapshotDirectory(home, files);
      if (!files.isBroken() && isWritten(directory)) {
        break;
      }
      assertThat(names(home))
          .as("after %s", files.steps())
          .isEqualTo("snapshot-00000000000000000001 ");
      assertWhole(directory, false);
      write(directory, ToySource.small(2));
      assertWhole(directory, true);
    }
    assertThat(step).isGreaterThan(STEPS_LEAST);
  }

  @Test
  void shouldNeverLoseAGoodOneWhenKilledWhileRemoving() throws IOException {
    int step = 1;
    for (BrokenFiles files = BrokenFiles.killedAt(step); ; files = BrokenFiles.killedAt(++step)) {
      Path home = Files.createDirectory(data.resolve("removing-" + step));
      SnapshotDirectory before = new SnapshotDirectory(home, BrokenFiles.failingAt(0));
      for (int sequence = 1; sequence <= 3; sequence++) {
        write(before, ToySource.small(sequence));
      }
      try {
        new SnapshotDirectory(home, files).keepNewest(2, sequence -> false);
      } catch (BrokenFiles.Killed e) {
        assertThat(files.isBroken()).isTrue();
      }
      SnapshotDirectory reopened = new SnapshotDirectory(home, BrokenFiles.failingAt(0));
      reopened.removeUnfinished();
      assertThat(sequences(reopened)).startsWith(3L, 2L);
      reopened.newestFirst().forEach(snapshot -> reopened.reader(snapshot).verify());
      assertThat(reopened.keepNewest(2, sequence -> false)).isEqualTo(2);
      assertThat(sequences(reopened)).containsExactly(3L, 2L);
      if (!files.isBroken()) {
        break;
      }
    }
    assertThat(step).isGreaterThan(5);
  }

  @Test
  void shouldSayWhyItCouldNotBeWritten() {
    SnapshotDirectory directory = new SnapshotDirectory(data, BrokenFiles.failingAt(5));
    assertThatThrownBy(() -> write(directory, ToySource.small(9)))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("The snapshot at record 9 was not written")
        .hasMessageContaining("log and older snapshots are intact")
        .hasMessageContaining("No space left on device");
  }

  @Test
  void shouldRefuseWhenTheDiskIsNearlyFull() {
    SnapshotDirectory directory = directory();
    assertThatThrownBy(
            () ->
                new SnapshotWriter(directory, 1L << 60)
                    .write(ToySource.small(9), n -> {}, () -> false, n -> {}))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("too little space for a snapshot")
        .hasMessageContaining("about 1,000 are needed, and 1,152,921,504,606,846,976 are reserved");
    assertThat(names(data)).isEmpty();
  }

  @Test
  void shouldLeaveNothingWhenAbandoned() {
    SnapshotDirectory directory = directory();
    assertThatThrownBy(
            () ->
                new SnapshotWriter(directory, 0)
                    .write(ToySource.small(9), n -> {}, () -> true, n -> {}))
        .isInstanceOf(SnapshotAbandonedException.class)
        .hasMessageContaining("The snapshot at record 9 was abandoned");
    assertThat(names(data)).isEmpty();
  }

  @Test
  void shouldLeaveNothingWhenTheLogOrTheSourceFails() {
    SnapshotDirectory directory = directory();
    IllegalStateException failure = new IllegalStateException("no more");
    assertThatThrownBy(
            () ->
                new SnapshotWriter(directory, 0)
                    .write(
                        ToySource.small(9),
                        sequence -> {
                          assertThat(unfinished(9).resolve(Snapshot.MANIFEST)).exists();
                          throw failure;
                        },
                        () -> false,
                        n -> {}))
        .isSameAs(failure);
    WrittenBy source =
        new WrittenBy(
            ToySource.small(9),
            sink -> {
              throw failure;
            });
    assertThatThrownBy(
            () -> new SnapshotWriter(directory, 0).write(source, n -> {}, () -> false, n -> {}))
        .isSameAs(failure);
    assertThat(names(data)).isEmpty();
  }

  @Test
  void shouldSayWhenTheDirectoryIsReadOnly() throws IOException {
    Path snapshots = Files.createDirectory(data.resolve("snapshots"));
    Files.setPosixFilePermissions(snapshots, PosixFilePermissions.fromString("r-x------"));
    Assumptions.assumeFalse(Files.isWritable(snapshots), "root may write everywhere");
    assertThatThrownBy(() -> write(directory(), ToySource.small(9)))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("has no permission to read and write " + unfinished(9));
    Files.setPosixFilePermissions(snapshots, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void shouldSayWhenAFileIsInTheWay() throws IOException {
    Path file = Files.createFile(data.resolve("snapshots"));
    assertThatThrownBy(() -> write(directory(), ToySource.small(9)))
        .isInstanceOf(LogException.class)
        .hasMessageContaining(file + " exists and is not a directory");
    assertThat(file).isEmptyFile();
  }

  private static boolean isWritten(SnapshotDirectory directory) {
    try {
      write(directory, ToySource.small(2));
      return true;
    } catch (LogException | BrokenFiles.Killed e) {
      return false;
    }
  }

  /** Snapshot 1 is there and whole; snapshot 2 must be, or may be if it is whole. */
  private static void assertWhole(SnapshotDirectory directory, boolean isSecondThere) {
    List<Snapshot> found = directory.newestFirst();
    assertThat(found).hasSizeBetween(isSecondThere ? 2 : 1, 2);
    for (Snapshot snapshot : found) {
      assertThat(chunks(directory, snapshot))
          .isEqualTo(ToySource.small(snapshot.sequence()).chunks());
    }
    assertThat(found.get(found.size() - 1).sequence()).isEqualTo(1);
  }

  private static String names(Path home) {
    try (Stream<Path> entries = Files.list(home.resolve("snapshots"))) {
      return entries.map(path -> path.getFileName() + " ").sorted().reduce("", String::concat);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
