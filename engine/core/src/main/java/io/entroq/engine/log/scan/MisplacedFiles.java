package io.entroq.engine.log.scan;

import java.nio.file.Path;
import java.util.List;

/**
 * A whole file, or a run, that does not belong where it lies.
 *
 * @param files all that do not; the first is the one that is spoken of
 * @param sequence its first record, 0 if it has none
 * @param what why it does not belong there
 * @param rightName the name that it has by its first record, null if that is not known
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
   * What can be done about it.
   *
   * @param without what is found when it is moved away with all others that do not belong
   */
  String advice(ScanReport without) {
    String place = file().toAbsolutePath().getParent().toString();
    String renamed =
        rightName == null
            ? ""
            : "By its first record it is %s: give it that name, if it was renamed. Otherwise"
                .formatted(rightName);
    String others =
        files.size() == 1
            ? ""
            : "The same holds for %s. "
                .formatted(
                    String.join(
                        ", ",
                        files.subList(1, files.size()).stream()
                            .map(each -> each.getParent().getFileName() + "/" + each.getFileName())
                            .toList()));
    String then =
        without.isDamaged()
            ? "Put what belongs there in its place, or restore the directory from a backup."
            : ("Without it, the log ends with record %,d: if that is not all, put what belongs there"
                    + " in its place, or restore the directory from a backup.")
                .formatted(without.lastSequence());
    String move = renamed.isEmpty() ? "Move" : renamed + " move";
    return "%s%s it away from %s. %s".formatted(others, move, place, then);
  }
}
