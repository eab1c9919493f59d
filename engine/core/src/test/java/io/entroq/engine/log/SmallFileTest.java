package io.entroq.engine.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFileTest {
  @TempDir private Path directory;

  @Test
  void shouldReplaceTheWholeFile() throws IOException {
    List<String> forced = new ArrayList<>();
    Forcer forcer =
        (what, action) -> {
          forced.add(what);
          action.run();
        };
    SmallFile.replace(directory, "file", bytes("longer than the next"), forcer);
    SmallFile.replace(directory, "file", bytes("next"), forcer);
    assertThat(directory.resolve("file")).hasContent("next");
    assertThat(DataFile.entries(directory)).hasSize(1);
    String unfinished = directory.resolve("file.tmp").toString();
    assertThat(forced)
        .containsExactly(unfinished, directory.toString(), unfinished, directory.toString());
  }

  @Test
  void shouldKeepTheFileIfTheNewContentIsNotOnTheDisk() throws IOException {
    SmallFile.replace(directory, "file", bytes("old"), Forcer.DISK);
    Forcer refusing =
        (what, action) -> {
          throw new IOException("the disk refuses " + what);
        };
    assertThatThrownBy(() -> SmallFile.replace(directory, "file", bytes("new"), refusing))
        .isInstanceOf(IOException.class);
    assertThat(directory.resolve("file")).hasContent("old");
    assertThat(DataFile.entries(directory)).hasSize(1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
