package io.entroq.examples.mapreduce.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileScannerTest {
  @TempDir private Path directory;
  private Path root;

  @BeforeEach
  void resolve() throws IOException {
    root = directory.toRealPath();
  }

  @Test
  void shouldListTextFilesInOrder() throws IOException {
    write("b.txt", "two words");
    write("a/deep/one", "x");
    write("empty", "");
    FileListing listing = scan();
    assertThat(listing.files())
        .extracting(ListedFile::path)
        .containsExactly("a/deep/one", "b.txt", "empty");
    assertThat(listing.bytes()).isEqualTo(10);
    assertThat(listing.binaryFiles()).isZero();
    assertThat(listing.unreadable()).isEmpty();
  }

  @Test
  void shouldLeaveOutWhatIsHiddenBuiltOrData() throws IOException {
    write(".git/config", "x");
    write("src/.hidden", "x");
    write("src/target/out", "x");
    write("data/lock", "x");
    write("src/Main", "x");
    assertThat(scan().files()).extracting(ListedFile::path).containsExactly("src/Main");
  }

  @Test
  void shouldListADirectoryThatIsItselfNamedTarget() throws IOException {
    write("target/one", "x");
    FileListing listing =
        FileScanner.scan(root.resolve("target"), root.resolve("data"), () -> false);
    assertThat(listing.files()).hasSize(1);
  }

  @Test
  void shouldCountBinaryFilesAndLeaveThemOut() throws IOException {
    write("image", "GIF\0\1\2");
    write("text", "x");
    FileListing listing = scan();
    assertThat(listing.files()).extracting(ListedFile::path).containsExactly("text");
    assertThat(listing.binaryFiles()).isOne();
  }

  @Test
  void shouldNotFollowLinks() throws IOException {
    write("dir/text", "x");
    Files.createSymbolicLink(root.resolve("dir/round"), root);
    Files.createSymbolicLink(root.resolve("link"), root.resolve("dir/text"));
    assertThat(scan().files()).hasSize(1);
  }

  @Test
  void shouldNameWhatCannotBeRead() throws IOException {
    write("one", "x");
    write("two", "x");
    AtomicInteger questions = new AtomicInteger();
    // Called before the directory and after each file: deletes the second file during the scan.
    BooleanSupplier spoiler =
        () -> {
          if (questions.incrementAndGet() == 2) {
            root.resolve("one").toFile().delete();
            root.resolve("two").toFile().delete();
          }
          return false;
        };
    FileListing listing = FileScanner.scan(root, root.resolve("data"), spoiler);
    assertThat(listing.files()).hasSize(1);
    assertThat(listing.unreadable())
        .hasSize(1)
        .allMatch(line -> line.endsWith("NoSuchFileException"));
  }

  @Test
  void shouldFailWhenThereIsNoDirectory() {
    assertThatThrownBy(() -> FileScanner.scan(root.resolve("none"), root, () -> false))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void shouldTellWhatHasBecomeOfAFile() throws IOException {
    write("text", "x");
    ListedFile file = scan().files().get(0);
    assertThat(file.difference(root)).isEmpty();
    write("text", "xy");
    assertThat(file.difference(root)).contains("text has changed");
    write("text", "z");
    Files.setLastModifiedTime(root.resolve("text"), FileTime.fromMillis(1));
    assertThat(file.difference(root)).contains("text has changed");
    Files.delete(root.resolve("text"));
    assertThat(file.difference(root)).contains("text no longer exists");
    Files.createDirectory(root.resolve("text"));
    assertThat(file.difference(root)).contains("text is no longer a file");
  }

  private FileListing scan() throws IOException {
    return FileScanner.scan(root, root.resolve("data"), () -> false);
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
