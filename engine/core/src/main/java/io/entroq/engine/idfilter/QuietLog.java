package io.entroq.engine.idfilter;

import io.entroq.codec.wire.IdKey;
import io.entroq.engine.idfilter.IdStretch.Point;
import java.util.Collection;
import java.util.TreeMap;

/** How far back from a point of a log there is certainly no effect on any of some tasks. */
public final class QuietLog {
  private final Collection<IdKey> ids;

  /** The stretches by their ends. */
  private final TreeMap<Long, Stretch> stretches = new TreeMap<>();

  /** What a file says: from {@code quietAfter} to its end there is no effect. */
  private record Stretch(long logIdHigh, long logIdLow, Point begin, Point end, long quietAfter) {}

  QuietLog(Collection<IdKey> ids) {
    this.ids = ids;
  }

  void add(IdFilterFile file) {
    Stretch stretch =
        new Stretch(
            file.logIdHigh(), file.logIdLow(), file.begin(), file.end(), file.quietAfter(ids));
    stretches.put(stretch.end.sequence(), stretch);
  }

  /**
   * The least sequence after which, up to a state, no step has an effect on the tasks.
   *
   * @param sequence of the state; this if nothing is known of the step before
   * @param historyDigest of the state; a stretch of another history is not taken for one of this
   */
  public long before(long sequence, long historyDigest, long logIdHigh, long logIdLow) {
    Point at = new Point(sequence, historyDigest);
    long quiet = sequence;
    while (at.sequence() == quiet) {
      Stretch stretch = stretches.get(quiet);
      boolean isOfIt =
          stretch != null
              && stretch.end.equals(at)
              && stretch.logIdHigh == logIdHigh
              && stretch.logIdLow == logIdLow;
      if (!isOfIt) {
        break;
      }
      quiet = stretch.quietAfter;
      at = stretch.begin;
    }
    return quiet;
  }
}
