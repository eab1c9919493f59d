package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Turns file system exceptions into error messages. */
public final class FileErrors {
  /** Linux's message for a loop of links, for which Java has no exception. */
  private static final String LOOP = "Too many levels of symbolic links";

  static final String NOWHERE = "a symbolic link to a missing file";

  private FileErrors() {}

  /** Describes the failure, the file, and what to do. */
  public static String describe(IOException e) {
    if (!(e instanceof FileSystemException trouble)) {
      return e.toString();
    }
    String file = trouble.getFile();
    if (e instanceof UnexpectedFileException) {
      return unexpected(file, trouble.getReason());
    }
    String why = String.valueOf(trouble.getReason());
    if (why.equals(NOWHERE) || why.startsWith(LOOP)) {
      return unexpected(
          file, why.equals(NOWHERE) ? NOWHERE : "a symbolic link that leads to itself");
    }
    if (e instanceof FileAlreadyExistsException) {
      return file + " exists and is not a directory. Choose another directory, or move it away.";
    }
    if (e instanceof AccessDeniedException) {
      return "the user %s has no permission to read and write %s. Grant it, or choose another directory."
          .formatted(System.getProperty("user.name"), file);
    }
    if (e instanceof DirectoryNotEmptyException) {
      return file + " is a directory that is not empty. Move it away.";
    }
    if (e instanceof NoSuchFileException) {
      return file + " does not exist or cannot be created. Choose another directory.";
    }
    String reason = trouble.getReason() == null ? e.toString() : trouble.getReason();
    return "%s: %s. Fix that, or choose another directory.".formatted(file, reason);
  }

  private static String unexpected(String file, String what) {
    return "%s is %s. Move it away, and put the right file back.".formatted(file, what);
  }
}
