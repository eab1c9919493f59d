package io.entroq.simulator.client.worker;

/** How work on a task goes. The task's value says which kind it is. */
enum WorkKind {
  /** Done in a moment. */
  QUICK(40, true),
  /** Done after longer than the lease, which has to be renewed. */
  LONG(12, true),
  /** Fails some times, and is done then. */
  FLAKY(12, true),
  /** Goes on by way of another queue. */
  MOVED(6, true),
  /** Given back at first, for others to do. */
  RETURNED(4, true),
  /** Done in two parts, of which the first changes the task. */
  CHANGED(6, true),
  /** Counted in a doc in the same step as it is done; fails if others have counted meanwhile. */
  COUNTED(12, true),
  /** Stops the whole process for longer than the lease; then it goes on as if nothing was. */
  STALLING(1, true),
  /** Fails each time. */
  FAILING(5, false),
  /** Depends on a task that is not there. */
  IMPOSSIBLE(4, false),
  /** Names its task twice. */
  CONTRADICTORY(4, false),
  /** Returns nothing. */
  SILENT(2, false),
  /** Leaves its task as it is. */
  UNTOUCHED(2, false),
  /** Says itself that it is no use. */
  HOPELESS(2, false),
  /** Has a value that cannot be decoded. */
  UNREADABLE(2, false),
  /** Kills the process each time. */
  DEADLY(1, false);

  private static final WorkKind[] ALL = values();

  final int weight;

  /** Whether it can come to a good end. */
  final boolean isDoable;

  WorkKind(int weight, boolean isDoable) {
    this.weight = weight;
    this.isDoable = isDoable;
  }

  /** Of numbers below {@link #totalWeight()} as many are of each as its weight says. */
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
