package io.entroq.engine.idfilter;

import java.util.List;

/**
 * A stretch of a log, and filters of the ids that it has effects on.
 *
 * @param logIdHigh upper half of the id of the log
 * @param logIdLow lower half
 * @param begin the point after which it begins
 * @param end the point with which it ends
 * @param parts of it, in order; the last one reaches its end
 */
record IdStretch(long logIdHigh, long logIdLow, Point begin, Point end, List<Part> parts) {

  /**
   * A point of a log. Its digest tells it from points of other logs, and of one that was cut and
   * went on differently.
   *
   * @param sequence of the last record; 0: before the first
   * @param historyDigest of the state after it
   */
  record Point(long sequence, long historyDigest) {}

  /**
   * A part of a stretch.
   *
   * @param last its last record
   * @param filter null if it has effects on no task, or if they are not known
   * @param isKnown whether it is known which ids it has effects on
   */
  record Part(long last, IdFilter filter, boolean isKnown) {}
}
