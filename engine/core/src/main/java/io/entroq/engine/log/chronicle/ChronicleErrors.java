package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.FreeSpace;
import java.io.IOException;
import java.nio.file.Path;

/** Describes file system errors that Chronicle wraps. */
final class ChronicleErrors {
  private ChronicleErrors() {}

  /** A full disk shows as a fault of memory access, which says nothing to those who can help. */
  static String why(Path run, Throwable failure) {
    if (failure instanceof IOException) {
      return whyNoFile(run, failure);
    }
    if (!(failure instanceof InternalError)) {
      return failure.toString();
    }
    return ("%s. That is how a full or failing disk shows in mapped memory: %,d bytes are free on"
            + " its file system. Make room if that is too little, and open the directory again.")
        .formatted(failure, FreeSpace.usableBytes(run));
  }

  /** Where a file of the run could not be made. */
  static String whyNoFile(Path run, Throwable failure) {
    return ("%s. It cannot make a file there: %,d bytes are free on its file system (df); that may"
            + " have no room for more files (df -i) or be read-only (mount), or this process has too"
            + " many open (ulimit -n). Put that right, then open the directory again.")
        .formatted(failure, FreeSpace.usableBytes(run));
  }
}
