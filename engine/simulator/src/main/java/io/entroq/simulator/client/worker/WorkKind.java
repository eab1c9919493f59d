package io.entroq.simulator.client.worker;

/** Kinds of work. The task's value names its kind. */
enum WorkKind {
  /** Done quickly. */
  QUICK(40, true),
  /** Takes longer than the lease, which must be renewed. */
  LONG(12, true),
  /** Fails several times before it is done. */
  FLAKY(12, true),
  /** Moves to another queue before it is done. */
  MOVED(6, true),
  /** Released at first, then done. */
  RETURNED(4, true),
  /** Done in two parts; the first changes the task. */
  CHANGED(6, true),
  /** Counted in a doc in the step that ends it; fails if another handler counts meanwhile. */
  COUNTED(12, true),
  /** Pauses the whole process for longer than the lease. */
  STALLING(1, true),
  /** Fails each time. */
  FAILING(5, false),
  /** Depends on a task that does not exist. */
  IMPOSSIBLE(4, false),
  /** Names its task twice. */
  CONTRADICTORY(4, false),
  /** Returns nothing. */
  SILENT(2, false),
  /** Does not change its task. */
  UNTOUCHED(2, false),
  /** Asks for quarantine itself. */
  HOPELESS(2, false),
  /** Has a value that cannot be decoded. */
  UNREADABLE(2, false),
  /** Kills the process each time. */
  DEADLY(1, false);

  private static final WorkKind[] ALL = values();

  final int weight;

  /** Whether it can be done. */
  final boolean isDoable;

  WorkKind(int weight, boolean isDoable) {
    this.weight = weight;
    this.isDoable = isDoable;
  }

  /** The kind at a number below {@link #totalWeight()}, by weight. */
  static WorkKind at(int number) {
    int rest = number;
    int at = 0;
    while (rest >= ALL[at].weight) {
      rest -= ALL[at].weight;
      at++;
    }
    return ALL[at];
  }

  static int totalWeight() {
    int total = 0;
    for (WorkKind kind : ALL) {
      total += kind.weight;
    }
    return total;
  }
}
