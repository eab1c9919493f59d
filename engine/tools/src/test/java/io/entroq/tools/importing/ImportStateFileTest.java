package io.entroq.tools.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportStateFileTest {
  private static final UnitName INBOX = new UnitName(Kind.QUEUE, "in \"box\"\n\u00fc");
  private static final UnitName NAMESPACE = new UnitName(Kind.NAMESPACE, "inbox");

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() {
    file = directory.resolve("state");
    try (ImportStateFile state = open()) {
      state.done(INBOX);
      state.done(NAMESPACE);
      state.done(INBOX);
    }
  }

  private ImportStateFile open() {
    return ImportStateFile.open(file, "old:1", "v0", "new:2");
  }

  @Test
  void shouldRemember() throws IOException {
    assertThat(Files.readAllLines(file)).hasSize(3);
    try (ImportStateFile state = open()) {
      assertThat(state.isDone(INBOX)).isTrue();
      assertThat(state.isDone(NAMESPACE)).isTrue();
      assertThat(state.isDone(new UnitName(Kind.QUEUE, "inbox"))).isFalse();
      state.remove();
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldForgetALineThatWasCutOff() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int length = whole.length - 1; length >= 0; length--) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (ImportStateFile state = open()) {
        assertThat(state.isDone(NAMESPACE)).isFalse();
        state.done(NAMESPACE);
      }
      try (ImportStateFile state = open()) {
        assertThat(state.isDone(NAMESPACE)).isTrue();
      }
    }
  }

  @Test
  void shouldRefuseEveryOtherDamage() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    int lastLine = whole.length - 2;
    while (whole[lastLine] != '\n') {
      lastLine--;
    }
    for (int i = 0; i < lastLine; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 1;
      Files.write(file, damaged);
      assertThatThrownBy(this::open)
          .isInstanceOf(CommandException.class)
          .hasMessageContaining(file + " is damaged at line")
          .hasMessageContaining("remove it");
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"# Notes\nof somebody\n", "no line end", "{}\n", "\n", "\u0000\u0000"})
  void shouldLeaveFilesOfOthersAlone(String text) throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(this::open)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is damaged at line 1");
    assertThat(file).content(StandardCharsets.UTF_8).isEqualTo(text);
  }

  @Test
  void shouldRefuseTheFileOfAnotherImport() {
    assertThatThrownBy(() -> ImportStateFile.open(file, "old:1", "v1", "new:2"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("from old:1 (v0) to new:2, but this one is from old:1 (v1) to new:2");
    assertThatThrownBy(() -> ImportStateFile.open(file, "old:3", "v0", "new:2"))
        .hasMessageContaining("name another file");
    assertThatThrownBy(() -> ImportStateFile.open(file, "old:1", "v0", "/data"))
        .hasMessageContaining("to /data");
  }

  @Test
  void shouldRefuseAFileThatIsInUse() {
    try (ImportStateFile state = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("is in use by another import");
      assertThat(state.isDone(INBOX)).isTrue();
    }
  }

  @Test
  void shouldSayThatAFileCannotBeWritten() {
    assertThatThrownBy(() -> ImportStateFile.open(directory, "old:1", "v0", "new:2"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("state file " + directory);
  }
}
