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
 * The one place where files of a data directory, and of a backup, are opened and directories are
 * listed. It looks first at what lies there: to open a pipe waits for its other end, perhaps for
 * ever, and a device is neither as long as it says nor empty. Any thread.
 */
public final class DataFile {
  private DataFile() {}

  /**
   * Opens a file, or makes it if the options say so.
   *
   * @throws NoSuchFileException if it is not there
   * @throws IOException if it cannot be opened, or something else lies there; {@link
   *     FileTrouble#describe} says what
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

  /** Opens a file to read it, as {@link #open} does. */
  public static FileChannel openToRead(Path file) throws IOException {
    return open(file, StandardOpenOption.READ);
  }

  /**
   * What is in a directory, in no order.
   *
   * @throws NoSuchFileException if it is not there
   * @throws IOException if it cannot be listed, or is none
   */
  public static List<Path> entries(Path directory) throws IOException {
    if (!attributes(directory).isDirectory()) {
      throw new UnexpectedFileException(directory, "no directory");
    }
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      List<Path> entries = new ArrayList<>();
      stream.forEach(entries::add);
      return entries;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Of what a link leads to; a link that leads nowhere is there, though what it names is not. */
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
