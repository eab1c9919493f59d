package io.entroq.engine.log;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Something lies where a file or directory of a data directory belongs, and is none. {@link
 * FileTrouble#describe} says what to do.
 */
public final class UnexpectedFileException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what it is, to follow the word "is"
   */
  UnexpectedFileException(Path file, String what) {
    super(file.toString(), null, what);
  }
}
