package io.entroq.engine.log.scan;

import java.nio.file.Path;
import java.util.List;

/**
 * Files or runs in the wrong place.
 *
 * @param files all of them; the message describes the first
 * @param sequence its first record; 0 if it has none
 * @param what why it does not belong there
 * @param rightName the name according to its first record; null if unknown
 */
record MisplacedFiles(List<Path> files, long sequence, String what, String rightName) {
  MisplacedFiles {
    files = List.copyOf(files);
  }

  static MisplacedFiles of(Path file, long sequence, String what) {
    return new MisplacedFiles(List.of(file), sequence, what, null);
  }

  Path file() {
    return files.get(0);
  }

  String text() {
    return "%s does not belong there: %s".formatted(file().getFileName(), what);
  }

  /**
   * What the operator can do.
   *
   * @param without the result of a scan without these files
   */
  String advice(ScanReport without) {
    String place = file().toAbsolutePath().getParent().toString();
    String renamed =
        rightName == null
            ? ""
            : "By its first record it is %s: rename it to that if it was renamed. Otherwise"
                .formatted(rightName);
    String others =
        files.size() == 1
            ? ""
            : "The same applies to %s. "
                .formatted(
                    String.join(
                        ", ",
                        files.subList(1, files.size()).stream()
                            .map(each -> each.getParent().getFileName() + "/" + each.getFileName())
                            .toList()));
    String then =
        without.isDamaged()
            ? "Put the right file in its place, or restore the directory from a backup."
            : ("Without it, the log ends with record %,d: if records are missing, put the right file in"
                    + " its place, or restore the directory from a backup.")
                .formatted(without.lastSequence());
    String move = renamed.isEmpty() ? "Move" : renamed + " move";
    return "%s%s it away from %s. %s".formatted(others, move, place, then);
  }
}
