package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FileTroubleTest {
  @Test
  void shouldSayWhoMayNotReadWhat() {
    assertThat(FileErrors.describe(new AccessDeniedException("data/log/segment")))
        .contains("has no permission to read and write data/log/segment")
        .contains(System.getProperty("user.name"))
        .contains("Grant it");
  }

  @Test
  void shouldSayWhatLiesWhereAFileBelongs() {
    assertThat(
            FileErrors.describe(
                new UnexpectedFileException(Path.of("data/log/segment"), "a directory")))
        .isEqualTo("data/log/segment is a directory. Move it away, and put the right file back.");
    assertThat(FileErrors.describe(new DirectoryNotEmptyException("data/closed")))
        .contains("data/closed is a directory that is not empty")
        .contains("Move it away");
  }

  @Test
  void shouldPassOnWhatTheSystemSays() {
    IOException readOnly = new FileSystemException("data/lock", null, "Read-only file system");
    assertThat(FileErrors.describe(readOnly))
        .startsWith("data/lock: Read-only file system. ")
        .doesNotContain("java.");
  }
}
