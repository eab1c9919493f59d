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
    int index = (int) Long.remainderUnsigned(SeededRandom.mix(work.number()), IN_USE);
    if (inUse[index] == null) {
      made++;
      inUse[index] = new WorkCounter("tally " + made, index);
      known.add(inUse[index]);
    }
    return inUse[index];
  }

  /** Nobody knows whether some work that may be counted there is done. */
  void spoil(WorkCounter counter) {
    known.remove(counter);
    if (inUse[counter.index()] == counter) {
      inUse[counter.index()] = null;
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
