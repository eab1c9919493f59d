package io.entroq.engine.log.scan;

import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.LogRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What says how far the log has reached: the name of a run, or the mark of a log that was closed.
 *
 * @param run null for a mark
 * @param place the run, or the file of the mark
 * @param lastSequence the record that the log has reached
 */
record KnownEnd(LogRun run, Path place, long lastSequence) {
  /**
   * All in the order in which they were made.
   *
   * @param mark null if there is none; one from before the first run says nothing that this does
   *     not
   * @param directory the data directory
   */
  static List<KnownEnd> of(List<LogRun> runs, CleanCloseMarker mark, Path directory) {
    List<KnownEnd> all = new ArrayList<>();
    int behind = 0;
    for (LogRun run : runs) {
      all.add(new KnownEnd(run, run.directory(), run.firstSequence() - 1));
      behind = mark != null && run.number() <= mark.run() ? all.size() : behind;
    }
    if (mark != null && (behind > 0 || runs.isEmpty())) {
      all.add(behind, new KnownEnd(null, CleanCloseMarker.fileIn(directory), mark.sequence()));
    }
    return all;
  }

  String testimony() {
    String what =
        run == null
            ? "%s says that the log was closed with record %,d"
            : "%s was made when the log could be read up to %,d";
    return what.formatted(place.getFileName(), lastSequence);
  }
}
