package io.entroq.engine.idfilter;

import io.entroq.engine.effect.EffectIds;
import io.entroq.engine.idfilter.IdStretch.Part;
import io.entroq.engine.idfilter.IdStretch.Point;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Notes the ids that steps have effects on, in stretches from one snapshot to the next. The
 * applying thread notes and cuts; another one takes stretches and gives their memory back.
 *
 * <p>A filter that is full is followed by another one. There are at most 16 MiB of filters outside
 * of the heap; when all of them are in use, or the JVM has no more memory, the rest of the stretch
 * is of unknown ids.
 */
public final class IdRecorder implements EffectIds {
  private static final int FILTERS_MAX = 64;

  private final int idsMax;
  private final Queue<IdFilter> free;
  private final Queue<IdStretch> stretches = new ConcurrentLinkedQueue<>();

  // Of the applying thread.

  private StateMachine machine;
  private Point begin;
  private List<Part> parts = new ArrayList<>();

  /** The part that comes next begins after this step. */
  private long partBegin;

  /** Null if no id was noted since the last part. */
  private IdFilter filter;

  /** Whether there is no filter for the rest of the stretch. */
  private boolean isBlind;

  private int filtersMax;
  private int allocated;

  public IdRecorder() {
    this(FILTERS_MAX, IdFilter.IDS_MAX);
  }

  /**
   * For tests.
   *
   * @param filtersMax how many filters there may be
   * @param idsMax a filter with so many ids is full
   */
  public IdRecorder(int filtersMax, int idsMax) {
    this.filtersMax = filtersMax;
    this.idsMax = idsMax;
    free = new ArrayBlockingQueue<>(filtersMax);
  }

  /** Begins to note what a state machine does from now on. Once. */
  public void begin(StateMachine of) {
    machine = of;
    begin = point();
    partBegin = begin.sequence();
    machine.tellIds(this);
  }

  private Point point() {
    return new Point(machine.sequence(), machine.historyDigest());
  }

  @Override
  public boolean wants(long insertSequence, long sequence) {
    // What was inserted in this part is noted since then, unless that is only now.
    return insertSequence <= partBegin || insertSequence >= sequence;
  }

  @Override
  public void onTask(long high, long low) {
    if (filter != null || open()) {
      filter.add(high, low);
    }
  }

  private boolean open() {
    if (!isBlind) {
      filter = filter();
      isBlind = filter == null;
    }
    return !isBlind;
  }

  /** Null if there is no more memory. */
  private IdFilter filter() {
    IdFilter used = free.poll();
    if (used != null) {
      used.clear();
      return used;
    }
    if (allocated == filtersMax) {
      return null;
    }
    try {
      IdFilter created = new IdFilter();
      allocated++;
      return created;
    } catch (OutOfMemoryError e) {
      // Asking again would hold the applying thread up.
      filtersMax = allocated;
      return null;
    }
  }

  @Override
  public void onStepEnd(long sequence) {
    if (filter != null && filter.hasIds(idsMax)) {
      endPart(sequence);
    }
  }

  private void endPart(long last) {
    parts.add(new Part(last, filter, !isBlind));
    partBegin = last;
    filter = null;
  }

  /** Ends the stretch with the last step, and begins the next. Between steps. */
  public void cut() {
    Point end = point();
    if (end.sequence() > begin.sequence()) {
      if (parts.isEmpty() || parts.get(parts.size() - 1).last() < end.sequence()) {
        endPart(end.sequence());
      }
      stretches.add(new IdStretch(machine.logIdHigh(), machine.logIdLow(), begin, end, parts));
      begin = end;
      parts = new ArrayList<>();
      isBlind = false;
    }
  }

  /** Takes the oldest stretch that was cut; null if there is none. */
  IdStretch take() {
    return stretches.poll();
  }

  /** The filters of a stretch are not used any more. */
  void giveBack(IdStretch stretch) {
    for (Part part : stretch.parts()) {
      if (part.filter() != null) {
        free.add(part.filter());
      }
    }
  }
}
