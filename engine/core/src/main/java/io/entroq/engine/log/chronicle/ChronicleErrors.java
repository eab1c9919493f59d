package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.FreeSpace;
import java.io.IOException;
import java.nio.file.Path;

/** Explains file system errors that Chronicle wraps. */
final class ChronicleErrors {
  private ChronicleErrors() {}

  /** Explains a memory access fault, by which a full disk shows. */
  static String why(Path run, Throwable failure) {
    if (failure instanceof IOException) {
      return whyNoFile(run, failure);
    }
    if (!(failure instanceof InternalError)) {
      return failure.toString();
    }
    return ("%s. A full or failing disk causes this in mapped memory; its file system has %,d bytes free."
            + " Free some space if that is too little, and open the directory again.")
        .formatted(failure, FreeSpace.usableBytes(run));
  }

  /** Explains why a file of the run could not be created. */
  static String whyNoFile(Path run, Throwable failure) {
    return ("%s. It cannot create a file there. Its file system has %,d bytes free (df); it may be out of"
            + " inodes (df -i) or read-only (mount), or this process has too many open files"
            + " (ulimit -n). Fix that, then open the directory again.")
        .formatted(failure, FreeSpace.usableBytes(run));
  }
}
