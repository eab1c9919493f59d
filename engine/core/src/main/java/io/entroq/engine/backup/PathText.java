package io.entroq.engine.backup;

import java.nio.file.Path;

/** Names of files inside a directory, the same on every system. */
final class PathText {
  private PathText() {}

  /** With slashes. */
  static String of(Path relative) {
    return relative.toString().replace(relative.getFileSystem().getSeparator(), "/");
  }
}
