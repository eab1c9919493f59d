package io.entroq.workers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A directory below a root that was reached without following a link. What is written into it stays
 * there, whatever happens to its path meanwhile.
 */
final class RootedDirectory implements AutoCloseable {
  /** How the names of unfinished files begin. */
  static final String TEMPORARY = ".tmp.";

  private final Path path;
  private final SecureDirectoryStream<Path> stream;

  private RootedDirectory(Path path, SecureDirectoryStream<Path> stream) {
    this.path = path;
    this.stream = stream;
  }

  /**
   * Opens a directory, and creates what is missing below the root.
   *
   * @param names of the directories below the root; none of them has a slash or is a dot or two
   * @throws IOException if one is not a directory, such as a link
   */
  static RootedDirectory open(Path root, List<String> names) throws IOException {
    RootedDirectory directory = new RootedDirectory(root, openRoot(root));
    for (String name : names) {
      try (RootedDirectory parent = directory) {
        directory = parent.child(name);
      }
    }
    return directory;
  }

  @SuppressWarnings("StreamResourceLeak") // Closed with the directory.
  private static SecureDirectoryStream<Path> openRoot(Path root) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(root);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException(
        "the file system of %s cannot open a file relative to a directory".formatted(root));
  }

  private RootedDirectory child(String name) throws IOException {
    Path below = path.resolve(name);
    try {
      return new RootedDirectory(below, openChild(name));
    } catch (NoSuchFileException e) {
      try {
        // By its path, as there is no other way: a link in it leads at most to an empty directory.
        Files.createDirectory(below);
      } catch (FileAlreadyExistsException another) {
        // Another worker was faster.
      }
      force(path);
      return new RootedDirectory(below, openChild(name));
    }
  }

  private SecureDirectoryStream<Path> openChild(String name) throws IOException {
    return stream.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
  }

  /** Writes a file and forces it to disk; replaces a file or link of this name at once. */
  void write(String name, byte[] bytes) throws IOException {
    Path temporary = Path.of(TEMPORARY + UUID.randomUUID());
    try {
      try (SeekableByteChannel channel =
          stream.newByteChannel(
              temporary,
              Set.of(
                  StandardOpenOption.WRITE,
                  StandardOpenOption.CREATE_NEW,
                  LinkOption.NOFOLLOW_LINKS))) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        ((FileChannel) channel).force(true);
      }
      stream.move(temporary, stream, Path.of(name));
    } catch (IOException e) {
      try {
        stream.deleteFile(temporary);
      } catch (IOException absent) {
        e.addSuppressed(absent);
      }
      throw e;
    }
    force(path);
  }

  /** Makes the names in a directory durable. */
  static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
