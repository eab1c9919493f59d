package io.entroq.service.authorization;

/**
 * One thing that a request does to a queue or a namespace.
 *
 * @param name of the queue or namespace, or a prefix of names; empty if it is not known, or for the
 *     prefix of all
 */
record Permission(Action action, String name, boolean isPrefix) {
  /** On one queue or namespace. */
  static Permission of(Action action, String name) {
    return new Permission(action, name, false);
  }

  /** On all queues or namespaces whose names have the prefix. */
  static Permission ofPrefix(Action action, String prefix) {
    return new Permission(action, prefix, true);
  }
}
