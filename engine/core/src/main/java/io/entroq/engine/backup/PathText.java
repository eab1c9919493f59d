package io.entroq.engine.backup;

import java.nio.file.Path;

/** Paths with the same text on every system. */
final class PathText {
  private PathText() {}

  /** Uses slashes. */
  static String of(Path relative) {
    return relative.toString().replace(relative.getFileSystem().getSeparator(), "/");
  }
}
