package io.entroq.engine.log;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Something else is where a file or directory of a data directory should be. {@link
 * FileErrors#describe} says what to do.
 */
public final class UnexpectedFileException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what what it is, as text to follow the word "is"
   */
  UnexpectedFileException(Path file, String what) {
    super(file.toString(), null, what);
  }
}
