package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;

/**
 * Clients with an identity and their receipts by number. Clients with waiting claims and idle ones
 * are in two lists, each ordered by their last request.
 */
final class Clients {
  static final int OPEN_REQUESTS_MAX = 1_024;

  static final int CLIENTS_MAX = 65_536;

  static final int HIGH = 0;
  static final int LOW = 1;
  static final int ACKED_BELOW = 2;
  private static final int PARKED = 3;
  private static final int BEFORE = 4;
  private static final int BEHIND = 5;
  private static final int RING = 6;
  private static final int RING_CAPACITY = 7;
  private static final int CELL_COUNT = 8;
  private static final int RING_CAPACITY_MIN = 8;

  // The ends of a list: of the idle at 0, of those with parked claims at 2.
  private static final int FIRST = 0;
  private static final int LAST = 1;
  private static final int BUSY = 2;

  private final Cells cells;
  private final KeyTable byKey;
  private final int lists;

  Clients(Cells cells) {
    this.cells = cells;
    byKey = new KeyTable(cells);
    lists = cells.allocateCleared(4);
  }

  int size() {
    return byKey.size();
  }

  int find(long high, long low) {
    return byKey.find(high, low);
  }

  int add(long high, long low) {
    int client = cells.allocateCleared(CELL_COUNT);
    cells.set(client + HIGH, high);
    cells.set(client + LOW, low);
    cells.set(client + ACKED_BELOW, 1);
    byKey.add(client);
    append(client);
    return client;
  }

  /** Removes a client without receipts. */
  void remove(int client) {
    unlink(client);
    byKey.remove(client);
    if (cells.ref(client + RING) != Cells.NONE) {
      cells.free(cells.ref(client + RING), window(client));
    }
    cells.free(client, CELL_COUNT);
  }

  /** Moves a client to the end of its list: it has just sent a request. */
  void touch(int client) {
    if (cells.ref(list(client) + LAST) != client) {
      unlink(client);
      append(client);
    }
  }

  /** Adds 1 or -1 to the number of the client's parked claims. */
  void parked(int client, int by) {
    long parked = cells.get(client + PARKED) + by;
    boolean changesList = parked == 0 || (parked == 1 && by > 0);
    if (changesList) {
      unlink(client);
    }
    cells.set(client + PARKED, parked);
    if (changesList) {
      append(client);
    }
  }

  private int list(int client) {
    return cells.get(client + PARKED) > 0 ? lists + BUSY : lists;
  }

  private void append(int client) {
    int list = list(client);
    int last = cells.ref(list + LAST);
    cells.set(client + BEFORE, last);
    cells.set(client + BEHIND, Cells.NONE);
    cells.set(last == Cells.NONE ? list + FIRST : last + BEHIND, client);
    cells.set(list + LAST, client);
  }

  private void unlink(int client) {
    int list = list(client);
    int before = cells.ref(client + BEFORE);
    int behind = cells.ref(client + BEHIND);
    cells.set(before == Cells.NONE ? list + FIRST : before + BEHIND, behind);
    cells.set(behind == Cells.NONE ? list + LAST : behind + BEFORE, before);
  }

  /** The client that has been idle longest, or {@link Cells#NONE}. */
  int longestIdle() {
    return cells.ref(lists + FIRST);
  }

  /** The first client: those with parked claims come first, then the idle ones. */
  int first() {
    int busy = cells.ref(lists + BUSY + FIRST);
    return busy != Cells.NONE ? busy : longestIdle();
  }

  /** The client after one in that order, or {@link Cells#NONE}. */
  int next(int client) {
    int next = cells.ref(client + BEHIND);
    return next == Cells.NONE && cells.get(client + PARKED) > 0 ? longestIdle() : next;
  }

  // Receipts.

  /** How many numbers after the acknowledged ones may have a receipt. */
  int window(int client) {
    return cells.ref(client + RING_CAPACITY);
  }

  boolean isOpen(int client, long number) {
    long ahead = number - cells.get(client + ACKED_BELOW);
    return ahead >= 0 && ahead < OPEN_REQUESTS_MAX;
  }

  /** The receipt of an open number, or {@link Cells#NONE}. */
  int receipt(int client, long number) {
    int capacity = window(client);
    if (number - cells.get(client + ACKED_BELOW) >= capacity) {
      return Cells.NONE;
    }
    return cells.ref(cells.ref(client + RING) + ((int) number & (capacity - 1)));
  }

  /** Sets the receipt of an open number; {@link Cells#NONE} removes it. */
  void receipt(int client, long number, int receipt) {
    int ahead = (int) (number - cells.get(client + ACKED_BELOW));
    if (ahead >= window(client)) {
      growRing(client, ahead + 1);
    }
    cells.set(cells.ref(client + RING) + ((int) number & (window(client) - 1)), receipt);
  }

  private void growRing(int client, int needed) {
    int former = window(client);
    int capacity = Math.max(RING_CAPACITY_MIN, Integer.highestOneBit(needed * 2 - 1));
    int old = cells.ref(client + RING);
    int ring = cells.allocateCleared(capacity);
    long from = cells.get(client + ACKED_BELOW);
    for (long number = from; number < from + former; number++) {
      cells.set(
          ring + ((int) number & (capacity - 1)), cells.get(old + ((int) number & (former - 1))));
    }
    if (old != Cells.NONE) {
      cells.free(old, former);
    }
    cells.set(client + RING, ring);
    cells.set(client + RING_CAPACITY, capacity);
  }

  /** A request as printed in commands. */
  String name(int client, long number) {
    return Tasks.name(cells.get(client + HIGH), cells.get(client + LOW)) + "/" + number;
  }
}
