package io.entroq.simulator.client.worker;

import io.entroq.api.Doc;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The docs in which work is counted: only a few at a time, so that handlers conflict. */
final class WorkCounters {
  private static final int IN_USE = 8;

  private final WorkCounter[] inUse = new WorkCounter[IN_USE];

  /** Those of which it is known what they have to count. */
  private final List<WorkCounter> known = new ArrayList<>();

  private long made;

  /** The one in which some work is to be counted. */
  WorkCounter of(Work work) {
    int place = (int) Long.remainderUnsigned(SeededRandom.mix(work.number()), IN_USE);
    if (inUse[place] == null) {
      made++;
      inUse[place] = new WorkCounter("tally " + made, place);
      known.add(inUse[place]);
    }
    return inUse[place];
  }

  /** Nobody knows whether some work that may be counted there is done. */
  void spoil(WorkCounter counter) {
    known.remove(counter);
    if (inUse[counter.place()] == counter) {
      inUse[counter.place()] = null;
    }
  }

  /** What they have counted is lost, or some of it. */
  void lost() {
    known.clear();
    Arrays.fill(inUse, null);
  }

  /**
   * Fails if one of them does not count what was done, once all work is over.
   *
   * @param docs all that are there
   */
  void requireCounted(List<Doc> docs) {
    for (WorkCounter counter : known) {
      counter.requireCounted(
          docs.stream().filter(doc -> doc.id().id().equals(counter.id())).toList());
    }
  }
}
