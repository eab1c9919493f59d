package io.entroq.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SimulatedFileSystemTest {
  private final SimulatedDisk disk = new SimulatedDisk();
  private final DiskProcess process = disk.startProcess();
  private final Path directory = process.path("/data");
  private final Path file = directory.resolve("file");

  @Test
  void shouldReadWhatWasWrittenWhenItIsAFile() throws IOException {
    Files.createDirectories(directory.resolve("a/b"));
    Path deep = directory.resolve("a/b/c");
    Files.writeString(deep, "hello");

    assertThat(Files.readString(deep)).isEqualTo("hello");
    assertThat(Files.readAllBytes(deep)).hasSize(5);
    assertThat(Files.size(deep)).isEqualTo(5);
    assertThat(Files.isRegularFile(deep)).isTrue();
    assertThat(Files.isDirectory(deep.getParent())).isTrue();
    assertThat(Files.isWritable(deep)).isTrue();
    assertThat(Files.getOwner(deep).getName()).isEqualTo(System.getProperty("user.name"));
    assertThat(
            Files.readAttributes(deep, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size())
        .isEqualTo(5);
  }

  @Test
  void shouldRefuseWithTheUsualExceptionWhenANameIsNotThereOrTaken() throws IOException {
    assertThatThrownBy(() -> Files.size(file)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Files.newDirectoryStream(directory))
        .isInstanceOf(NoSuchFileException.class);
    Files.createDirectory(directory);
    Files.createFile(file);

    assertThatThrownBy(() -> Files.createDirectory(directory))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(
            () ->
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                    .close())
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> Files.newDirectoryStream(file))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> Files.delete(directory))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThatThrownBy(() -> Files.writeString(directory, "text"))
        .hasMessageContaining("Is a directory");
    assertThat(Files.deleteIfExists(file)).isTrue();
    assertThat(Files.deleteIfExists(file)).isFalse();
    assertThat(Files.exists(file)).isFalse();
    assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void shouldListNamesInTheirOrderWhenTheyWereMadeInAnother() throws IOException {
    Files.createDirectory(directory);
    for (String name : List.of("c", "a", "d", "b")) {
      Files.createFile(directory.resolve(name));
    }

    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries.map(entry -> entry.getFileName().toString()))
          .containsExactly("a", "b", "c", "d");
    }
  }

  @Test
  void shouldReadAndWriteAnywhereWhenTheChannelMay() throws IOException {
    Files.createDirectory(directory);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      channel.write(bytes("0123456789"));
      channel.write(bytes("ab"), 12);
      assertThat(channel.size()).isEqualTo(14);
      assertThat(channel.position()).isEqualTo(10);
      assertThat(Files.readString(file)).isEqualTo("0123456789\0\0ab");

      ByteBuffer read = ByteBuffer.allocate(4);
      assertThat(channel.read(read, 8)).isEqualTo(4);
      assertThat(read.array()).containsExactly('8', '9', 0, 0);
      assertThat(channel.read(ByteBuffer.allocate(1), 14)).isEqualTo(-1);

      channel.truncate(3);
      assertThat(channel.position()).isEqualTo(3);
      channel.write(bytes("d"), 5);
      assertThat(Files.readString(file)).isEqualTo("012\0\0d");
      assertThatThrownBy(() -> channel.map(MapMode.READ_ONLY, 0, 1))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void shouldRefuseWhatTheChannelMayNotWhenItIsClosedOrOpenToRead() throws IOException {
    Files.createDirectory(directory);
    Files.createFile(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);

    assertThatThrownBy(() -> channel.write(bytes("a"), 0))
        .isInstanceOf(NonWritableChannelException.class);
    channel.close();
    assertThatThrownBy(() -> channel.read(bytes("a"), 0))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> channel.force(true)).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void shouldForceADirectoryWhenItIsOpenedToRead() throws IOException {
    Files.createDirectory(directory);

    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
      assertThatThrownBy(() -> channel.read(bytes("a"))).hasMessageContaining("Is a directory");
    }
  }

  @Test
  void shouldTakeTheNameOfAnotherFileWhenItIsMovedThere() throws IOException {
    Files.createDirectory(directory);
    Path other = directory.resolve("other");
    Files.writeString(file, "new");
    Files.writeString(other, "old");

    assertThatThrownBy(() -> Files.move(file, other))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.move(file, other, StandardCopyOption.ATOMIC_MOVE);

    assertThat(Files.exists(file)).isFalse();
    assertThat(Files.readString(other)).isEqualTo("new");
    assertThatThrownBy(
            () -> Files.move(directory, directory.resolve("in"), StandardCopyOption.ATOMIC_MOVE))
        .hasMessageContaining("Invalid argument");
  }

  @Test
  void shouldKeepWhatIsInADirectoryWhenItIsMoved() throws IOException {
    Files.createDirectories(directory.resolve("a"));
    Files.writeString(directory.resolve("a/file"), "text");
    Files.createDirectories(directory.resolve("b"));

    Files.move(
        directory.resolve("a"), directory.resolve("b/moved"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(Files.readString(directory.resolve("b/moved/file"))).isEqualTo("text");
    assertThat(Files.exists(directory.resolve("a"))).isFalse();
  }

  @Test
  void shouldLockForOneProcessWhenTwoAsk() throws IOException {
    Files.createDirectory(directory);
    Files.createFile(file);
    FileChannel mine = FileChannel.open(file, StandardOpenOption.WRITE);
    FileLock lock = mine.tryLock();
    DiskProcess other = disk.startProcess();
    FileChannel theirs = FileChannel.open(other.path("/data/file"), StandardOpenOption.WRITE);

    assertThat(lock.isValid()).isTrue();
    assertThat(theirs.tryLock()).isNull();
    assertThatThrownBy(mine::tryLock).isInstanceOf(OverlappingFileLockException.class);

    // As with POSIX: closing any handle of a file releases the locks of its process.
    FileChannel.open(file, StandardOpenOption.READ).close();
    assertThat(lock.isValid()).isFalse();
    assertThat(theirs.tryLock()).isNotNull();
    theirs.close();
    assertThat(mine.tryLock()).isNotNull();
    mine.close();
  }

  @Test
  void shouldSpeakOfPathsAsUnixDoes() throws IOException {
    Path path = process.path("/a//b/./c/../d/");

    assertThat(path).hasToString("/a/b/./c/../d");
    assertThat(path.normalize()).hasToString("/a/b/d");
    assertThat(path.getNameCount()).isEqualTo(6);
    assertThat(path.getName(1)).hasToString("b");
    assertThat(path.getFileName()).hasToString("d");
    assertThat(path.getParent()).hasToString("/a/b/./c/..");
    assertThat(process.path("/a").getParent()).isEqualTo(process.path("/"));
    assertThat(process.path("a").getParent()).isNull();
    assertThat(process.path("/").getFileName()).isNull();
    assertThat(process.path("").getFileSystem().getPath("a", "b", "", "c")).hasToString("a/b/c");
    assertThat(process.path("a").toAbsolutePath()).hasToString("/a");
    assertThat(process.path("/a/b").resolveSibling("c")).hasToString("/a/c");
    assertThat(process.path("/a/b").relativize(process.path("/a/c/d"))).hasToString("../c/d");
    assertThat(process.path("/a/b").startsWith("/a")).isTrue();
    assertThat(process.path("/ab").startsWith("/a")).isFalse();
    assertThat(process.path("/a/b").endsWith("b")).isTrue();
    assertThat(process.path("/a")).isEqualTo(process.path("/a/"));
    assertThat(process.path("/a")).isNotEqualTo(disk.startProcess().path("/a"));
    assertThatThrownBy(() -> path.toRealPath()).isInstanceOf(NoSuchFileException.class);
    Files.createDirectory(process.path("x"));
    assertThat(process.path("y/../x").toRealPath()).hasToString("/x");
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
