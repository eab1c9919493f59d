package io.entroq.engine.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Opens files and lists directories of data directories and backups, after checking their kind:
 * opening a pipe could block forever, and a device misreports its length. Thread-safe.
 */
public final class DataFile {
  private DataFile() {}

  /**
   * Opens a file, or creates it if the options say so.
   *
   * @throws NoSuchFileException if it does not exist
   * @throws IOException if it cannot be opened or is not a regular file; {@link
   *     FileErrors#describe} explains it
   */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    boolean mayBeMissing =
        Arrays.asList(options).contains(StandardOpenOption.CREATE) && !Files.isSymbolicLink(file);
    try {
      BasicFileAttributes attributes = attributes(file);
      if (!attributes.isRegularFile()) {
        throw new UnexpectedFileException(
            file, attributes.isDirectory() ? "a directory" : "a pipe, a socket or a device");
      }
    } catch (NoSuchFileException e) {
      if (!mayBeMissing) {
        throw e;
      }
    }
    return FileChannel.open(file, options);
  }

  /** Opens a file for reading, as {@link #open} does. */
  public static FileChannel openToRead(Path file) throws IOException {
    return open(file, StandardOpenOption.READ);
  }

  /**
   * The entries of a directory, in no particular order.
   *
   * @throws NoSuchFileException if it does not exist
   * @throws IOException if it cannot be listed or is not a directory
   */
  public static List<Path> entries(Path directory) throws IOException {
    if (!attributes(directory).isDirectory()) {
      throw new UnexpectedFileException(directory, "not a directory");
    }
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      List<Path> entries = new ArrayList<>();
      stream.forEach(entries::add);
      return entries;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Follows links; a dangling link is reported as such, not as a missing file. */
  private static BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      if (Files.isSymbolicLink(file)) {
        throw new FileSystemException(file.toString(), null, FileErrors.NOWHERE);
      }
      throw e;
    }
  }
}
