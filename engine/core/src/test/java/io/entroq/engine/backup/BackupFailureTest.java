package io.entroq.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups and restores on a disk that fails at any step. */
class BackupFailureTest {
  @TempDir private Path temporary;
  private Path data;

  @BeforeEach
  void insertTasks() {
    data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < 10; i++) {
        queue.modify(Modification.insert("inbox", "value " + i)).orThrow();
      }
    }
  }

  @Test
  void shouldMakeNoBackupWhenAForceFails() {
    int failing = 0;
    while (true) {
      Path target = temporary.resolve("backup" + failing);
      FailingForcer forcer = new FailingForcer(failing);
      if (backup(target, forcer)) {
        break;
      }
      assertThat(target.resolve(BackupManifest.FILE_NAME)).doesNotExist();
      Path restored = temporary.resolve("restored" + failing);
      assertThatThrownBy(() -> restore(target, restored, Forcer.DISK))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("is not a complete backup");
      assertNoDataDirectory(target);
      failing++;
    }
    // The segment, four directories, backup.json and its name.
    assertThat(failing).isGreaterThanOrEqualTo(6);
  }

  private static void assertNoDataDirectory(Path unfinished) {
    assertThatThrownBy(() -> EmbeddedEntroQ.open(unfinished).close())
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining("The backup to " + unfinished + " was not finished")
        .hasMessageContaining("make the backup again");
  }

  /** As when it is killed: nothing is cleaned up, and backup.json is missing. */
  @Test
  void shouldTakeABackupThatWasKilledForNothing() throws IOException {
    Path target = temporary.resolve("backup");
    assertThat(backup(target, new FailingForcer(Integer.MAX_VALUE))).isTrue();
    assertThat(BackupMark.fileIn(target)).doesNotExist();
    Files.createFile(BackupMark.fileIn(target));
    Files.delete(target.resolve(BackupManifest.FILE_NAME));

    assertNoDataDirectory(target);
    Files.createFile(target.resolve("lock"));
    assertNoDataDirectory(target);
    assertThatThrownBy(() -> restore(target, temporary.resolve("restored"), Forcer.DISK))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("is not a complete backup")
        .hasMessageContaining("backup.tmp shows that it was not finished");
  }

  private boolean backup(Path target, FailingForcer forcer) {
    Backup backup = new Backup(data, target, HolePolicy.REFUSE, forcer, BackupProgress.NONE);
    try {
      backup.run();
      return true;
    } catch (LogException e) {
      assertThat(e)
          .hasMessageContaining("the disk has gone")
          .hasMessageContaining(target + " is not a backup; remove it");
      return false;
    }
  }

  @Test
  void shouldRestoreNothingThatOpensWhenAForceFails() throws IOException {
    Path backup = temporary.resolve("backup");
    assertThat(backup(backup, new FailingForcer(Integer.MAX_VALUE))).isTrue();
    int failing = 0;
    while (true) {
      Path target = temporary.resolve("restored" + failing);
      try {
        restore(backup, target, new FailingForcer(failing));
        break;
      } catch (LogException e) {
        assertThat(e).hasMessageContaining("the disk has gone");
      }
      assertEmptyOrRefused(target);
      failing++;
    }
    assertThat(failing).isGreaterThanOrEqualTo(5);
  }

  private static void assertEmptyOrRefused(Path target) throws IOException {
    try (Stream<Path> left = Files.list(target)) {
      if (left.findAny().isPresent()) {
        assertThatThrownBy(() -> EmbeddedEntroQ.open(target).close())
            .isInstanceOf(EntroQException.Storage.class)
            .hasMessageContaining("The restore to ")
            .hasMessageContaining("was not finished");
      }
    }
  }

  private static void restore(Path backup, Path target, Forcer forcer) {
    new Restore(backup, target, forcer, BackupProgress.NONE).run();
  }

  private static final class FailingForcer implements Forcer {
    private int left;

    FailingForcer(int good) {
      left = good;
    }

    @Override
    public void force(String what, Action action) throws IOException {
      if (left == 0) {
        throw new IOException("the disk has gone");
      }
      left--;
      action.run();
    }
  }
}
