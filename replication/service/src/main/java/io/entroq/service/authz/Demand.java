package io.entroq.service.authz;

/**
 * One thing that a request wants to do to a queue, or a namespace.
 *
 * @param action what
 * @param name to which one; empty with an exact one: it is not known to which
 * @param isPrefix whether it is all whose names begin so
 */
record Demand(Action action, String name, boolean isPrefix) {
  /** Something about one queue. */
  static Demand of(Action action, String name) {
    return new Demand(action, name, false);
  }

  /** Something about all queues whose names begin so; empty: all there are. */
  static Demand ofPrefix(Action action, String prefix) {
    return new Demand(action, prefix, true);
  }
}
