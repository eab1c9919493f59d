package io.entroq.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSpaceTest {
  @TempDir Path temporary;

  @Test
  void shouldTellWhatIsFree() {
    assertThat(FreeSpace.usableBytes(temporary)).isPositive();
  }

  @Test
  void shouldTellOfNoRoomWhereThereIsNoDirectory() {
    assertThat(FreeSpace.usableBytes(temporary.resolve("gone"))).isZero();
  }

  @Test
  void shouldAskWhateverFileSystemADirectoryIsOf() throws IOException {
    Path zip = temporary.resolve("some.zip");
    try (FileSystem archive = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      assertThat(FreeSpace.usableBytes(archive.getPath("/"))).isPositive();
    }
  }
}
