package io.entroq.simulator.check;

import org.agrona.collections.Int2ObjectHashMap;

/**
 * How tasks stood before claims of theirs were undone in a step of which nobody heard the answers:
 * what was due then may have gone to a claim that waited, and been taken back from that one.
 */
final class Unheard {
  private static final int ARRIVAL = 0;
  private static final int CLAIMANT_HIGH = 1;
  private static final int CLAIMANT_LOW = 2;
  private static final int CLAIMANT_TEXT = 3;
  private static final int CLAIMS = 4;
  private static final int VERSION = 5;
  private static final int COUNT = 6;

  private final Cells cells;
  private final Holders holders;
  private final Int2ObjectHashMap<long[]> before = new Int2ObjectHashMap<>();
  private boolean isOn;

  Unheard(Cells cells, Holders holders) {
    this.cells = cells;
    this.holders = holders;
  }

  /** From now on nobody hears answers. */
  void begin() {
    isOn = true;
  }

  /** Answers are heard again, and everything was compared. */
  void end() {
    isOn = false;
    before.clear();
  }

  /** A claim of a task is about to be undone. */
  void givesBack(int task) {
    if (isOn) {
      long[] state = new long[COUNT];
      state[ARRIVAL] = cells.get(task + Tasks.ARRIVAL_MS);
      state[CLAIMANT_HIGH] = cells.get(task + Tasks.CLAIMANT_HIGH);
      state[CLAIMANT_LOW] = cells.get(task + Tasks.CLAIMANT_LOW);
      state[CLAIMANT_TEXT] = cells.get(task + Tasks.CLAIMANT_TEXT);
      state[CLAIMS] = cells.get(task + Tasks.CLAIMS);
      state[VERSION] = cells.get(task + Tasks.VERSION);
      before.putIfAbsent(task, state);
    }
  }

  /**
   * Has a task stand as before its claim was undone, if that version leads from there to the one
   * that it is said to have.
   */
  void undo(int task, long version, long nowMs) {
    long[] state = before.get(task);
    if (state != null && state[ARRIVAL] <= nowMs && state[VERSION] + 2 == version) {
      cells.set(task + Tasks.ARRIVAL_MS, state[ARRIVAL]);
      cells.set(task + Tasks.CLAIMS, state[CLAIMS]);
      holders.acquire(state[CLAIMANT_HIGH], state[CLAIMANT_LOW], state[CLAIMANT_TEXT]);
      holders.release(
          cells.get(task + Tasks.CLAIMANT_HIGH),
          cells.get(task + Tasks.CLAIMANT_LOW),
          cells.get(task + Tasks.CLAIMANT_TEXT));
      cells.set(task + Tasks.CLAIMANT_HIGH, state[CLAIMANT_HIGH]);
      cells.set(task + Tasks.CLAIMANT_LOW, state[CLAIMANT_LOW]);
      cells.set(task + Tasks.CLAIMANT_TEXT, state[CLAIMANT_TEXT]);
    }
  }
}
