package io.entroq.service.authorization;

/**
 * One thing that a request wants to do to a queue, or a namespace.
 *
 * @param action what
 * @param name to which one; empty with an exact one: it is not known to which
 * @param isPrefix whether it is all whose names begin so
 */
record Permission(Action action, String name, boolean isPrefix) {
  /** Something about one queue. */
  static Permission of(Action action, String name) {
    return new Permission(action, name, false);
  }

  /** Something about all queues whose names begin so; empty: all there are. */
  static Permission ofPrefix(Action action, String prefix) {
    return new Permission(action, prefix, true);
  }
}
