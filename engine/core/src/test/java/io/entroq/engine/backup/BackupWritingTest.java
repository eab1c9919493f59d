package io.entroq.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that go from one place to another, and those that are not what was sent. */
class BackupWritingTest {
  private static final int TASKS = 10;

  /** Genesis, and one for each task. */
  private static final long LAST = TASKS + 1;

  private static final String FILE = "log/run-000001-00000000000000000001/19700101-0000V.cq4";

  @TempDir private Path temporary;
  private Path data;
  private Path target;

  @BeforeEach
  void insertTasks() {
    data = temporary.resolve("data");
    target = temporary.resolve("backup");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < TASKS; i++) {
        queue.modify(Modification.insert("inbox", "value " + i)).orThrow();
      }
    }
  }

  @Test
  void shouldEndWithTheRecordThatIsWanted() {
    for (long last : new long[] {1, 5, LAST}) {
      Path backup = temporary.resolve("backup-" + last);
      assertThat(send(backup, last, false, 0).sequence()).isEqualTo(last);
      BackupManifest restored =
          new Restore(
                  backup, temporary.resolve("restored-" + last), Forcer.DISK, BackupProgress.NONE)
              .run();
      assertThat(restored.tasks()).isEqualTo(last - 1);
    }
    assertThatThrownBy(() -> BackupReading.open(data, HolePolicy.REFUSE, LAST + 1).close())
        .isInstanceOf(LogException.class)
        .hasMessageContaining("ends with record 11, before the requested record 12");
  }

  @Test
  void shouldLeadToTheStateThatItWasTakenOf() {
    long content = send(target, LAST, false, 0).contentDigest();
    assertRefused(() -> send(temporary.resolve("other"), LAST, true, content), "its digests are");
    assertThat(temporary.resolve("other")).isEmptyDirectory();
  }

  @Test
  void shouldRefuseWhatIsNotWhatWasSent() {
    assertRefused(writing -> writing.beginFile("../etc/passwd", 1), "is not a file of a data");
    assertRefused(writing -> writing.beginFile(FILE, -1), "has -1 bytes");
    assertRefused(writing -> writing.write(ByteBuffer.allocate(1)), "data outside of a file");
    assertRefused(writing -> writing.endFile(0), "no file has begun");
    assertRefused(BackupWriting::finish, "ends too early");
    assertRefused(
        writing -> {
          writing.beginFile(FILE, 1);
          writing.beginFile(FILE, 1);
        },
        "begins before the end of another");
    assertRefused(
        writing -> {
          writing.beginFile(FILE, 1);
          writing.write(ByteBuffer.allocate(2));
        },
        "longer than announced");
    assertRefused(
        writing -> {
          writing.beginFile(FILE, 1);
          writing.endFile(0);
        },
        "lacks 1 bytes");
    assertRefused(
        writing -> {
          writing.beginFile(FILE, 1);
          writing.write(ByteBuffer.allocate(1));
          writing.endFile(7);
        },
        "has checksum 527d5351, not 00000007");
  }

  @Test
  void shouldTakeNothingAwayFromADirectoryThatIsNotEmpty() throws Exception {
    Path kept = Files.createDirectories(target.resolve("log")).resolve("kept");
    Files.createFile(kept);
    assertThatThrownBy(() -> send(target, LAST, false, 0))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("it contains log");
    assertThat(kept).exists();
  }

  private BackupManifest send(Path to, long last, boolean isStateKnown, long content) {
    try (BackupReading reading = BackupReading.open(data, HolePolicy.REFUSE, last)) {
      BackupHead head =
          new BackupHead(
              reading.snapshotSequence(), last, reading.bytes(), isStateKnown, 0, content);
      try (BackupWriting writing = new BackupWriting(to, head, Forcer.DISK, BackupProgress.NONE)) {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        while (reading.nextFile()) {
          writing.beginFile(reading.path(), reading.fileBytes());
          while (reading.read(buffer.clear())) {
            writing.write(buffer.flip());
          }
          writing.endFile(reading.crc());
        }
        return writing.finish();
      }
    }
  }

  private void assertRefused(Consumer<BackupWriting> wrong, String why) {
    assertRefused(
        () -> {
          BackupHead head = new BackupHead(0, 1, 1, false, 0, 0);
          try (BackupWriting writing =
              new BackupWriting(target, head, Forcer.DISK, BackupProgress.NONE)) {
            wrong.accept(writing);
          }
        },
        why);
    assertThat(target.resolve("log")).doesNotExist();
    assertThat(BackupMark.fileIn(target)).doesNotExist();
  }

  private static void assertRefused(ThrowingCallable wrong, String why) {
    assertThatThrownBy(wrong)
        .isInstanceOf(LogException.class)
        .hasMessageContaining("The received backup is invalid")
        .hasMessageContaining(why);
  }
}
