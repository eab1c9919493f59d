package io.entroq.engine.log.scan;

import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.LogRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Evidence of how far the log has reached: the name of a run, or the mark of a clean close.
 *
 * @param run null for a mark
 * @param place the directory of the run or the file of the mark
 * @param lastSequence the record that the log had reached
 */
record KnownEnd(LogRun run, Path place, long lastSequence) {
  /**
   * All known ends in order of creation.
   *
   * @param mark null if there is none; one from before the first run is redundant
   * @param directory the data directory
   */
  static List<KnownEnd> of(List<LogRun> runs, CleanCloseMarker mark, Path directory) {
    List<KnownEnd> all = new ArrayList<>();
    int markIndex = 0;
    for (LogRun run : runs) {
      all.add(new KnownEnd(run, run.directory(), run.firstSequence() - 1));
      markIndex = mark != null && run.number() <= mark.run() ? all.size() : markIndex;
    }
    if (mark != null && (markIndex > 0 || runs.isEmpty())) {
      all.add(markIndex, new KnownEnd(null, CleanCloseMarker.fileIn(directory), mark.sequence()));
    }
    return all;
  }

  String description() {
    String what =
        run == null
            ? "%s says that the log was closed after record %,d"
            : "%s was created when the log was readable up to %,d";
    return what.formatted(place.getFileName(), lastSequence);
  }
}
