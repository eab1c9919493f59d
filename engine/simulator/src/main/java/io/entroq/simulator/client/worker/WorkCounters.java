package io.entroq.simulator.client.worker;

import io.entroq.api.Doc;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The docs that count work; only a few at a time, so that handlers conflict. */
final class WorkCounters {
  private static final int IN_USE = 8;

  private final WorkCounter[] inUse = new WorkCounter[IN_USE];

  /** The counters whose correct content is known. */
  private final List<WorkCounter> known = new ArrayList<>();

  private long made;

  WorkCounter of(Work work) {
    int index = (int) Long.remainderUnsigned(SeededRandom.mix(work.number()), IN_USE);
    if (inUse[index] == null) {
      made++;
      inUse[index] = new WorkCounter("tally " + made, index);
      known.add(inUse[index]);
    }
    return inUse[index];
  }

  /** The correct content of a counter is no longer known. */
  void spoil(WorkCounter counter) {
    known.remove(counter);
    if (inUse[counter.index()] == counter) {
      inUse[counter.index()] = null;
    }
  }

  /** Counts may be lost. */
  void lost() {
    known.clear();
    Arrays.fill(inUse, null);
  }

  /**
   * Fails unless all counters are correct; after the end of all work.
   *
   * @param docs all docs that count work
   */
  void requireCounted(List<Doc> docs) {
    for (WorkCounter counter : known) {
      counter.requireCounted(
          docs.stream().filter(doc -> doc.id().id().equals(counter.id())).toList());
    }
  }
}
