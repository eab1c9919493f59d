package io.entroq.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of levels that this build does not support. */
class BackupLevelTest {
  private static final String UNCHECKED = "--------";

  @TempDir private Path temporary;
  private Path backup;
  private Path target;

  @BeforeEach
  void makeBackup() {
    Path data = temporary.resolve("data");
    backup = temporary.resolve("backup");
    target = temporary.resolve("target");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
    }
    new Backup(data, backup, HolePolicy.REFUSE, Forcer.DISK, BackupProgress.NONE).run();
  }

  /** As builds before the first release made them: in format 1. */
  @Test
  void shouldRefuseABackupOfALevelThatWasNeverReleased() throws IOException {
    for (int level : new int[] {1, 6}) {
      describe(1, level);
      assertRefused(
          "The backup cannot be read by this build: the log asks for behavior level "
              + level
              + ", and this build supports 7 to 11; it was written by a build before the first release:"
              + " to keep its tasks, serve it with that build, and import them from there into a"
              + " new directory.");
    }
  }

  @Test
  void shouldRefuseABackupOfALevelToCome() throws IOException {
    describe(99, 99);
    assertRefused(
        "The backup cannot be read by this build: the log asks for behavior level 99, and this"
            + " build supports 7 to 11; open it with a build that supports level 99.");
  }

  @Test
  void shouldRefuseAFormatThatIsNotThatOfTheLevel() throws IOException {
    describe(1, 7);
    assertRefused(
        backup.resolve("backup.json")
            + " is damaged: format 1 is not that of level 7. Use another backup.");
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> new Restore(backup, target, Forcer.DISK, BackupProgress.NONE).run())
        .isInstanceOf(LogException.class)
        .hasMessage(message);
    assertThat(target).doesNotExist();
  }

  /** Rewrites the description of the backup, with the checksum that belongs to it. */
  private void describe(int format, int level) throws IOException {
    Path file = backup.resolve("backup.json");
    String unchecked =
        Files.readString(file)
            .replaceFirst("\"format\" : \\d+", "\"format\" : " + format)
            .replaceFirst("\"level\" : \\d+", "\"level\" : " + level)
            .replaceFirst("\"check\" : \"\\w{8}\"", "\"check\" : \"" + UNCHECKED + "\"");
    CRC32C crc = new CRC32C();
    crc.update(unchecked.getBytes(StandardCharsets.UTF_8));
    Files.writeString(file, unchecked.replace(UNCHECKED, "%08x".formatted(crc.getValue())));
  }
}
