package io.entroq.service.authorization;

/**
 * One thing that a request does to a queue or a namespace.
 *
 * @param action what it does
 * @param name to which queue or namespace; empty if it is exact and not known
 * @param isPrefix whether it is all those whose names start with the name
 */
record Permission(Action action, String name, boolean isPrefix) {
  /** Something about one queue. */
  static Permission of(Action action, String name) {
    return new Permission(action, name, false);
  }

  /** For all queues whose names start so; empty: all. */
  static Permission ofPrefix(Action action, String prefix) {
    return new Permission(action, prefix, true);
  }
}
