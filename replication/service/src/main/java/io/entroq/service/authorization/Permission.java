package io.entroq.service.authorization;

/**
 * Permission for an action on a queue or namespace.
 *
 * @param name of the queue or namespace, or a prefix of names; empty if unknown, or as the prefix
 *     of all names
 */
record Permission(Action action, String name, boolean isPrefix) {
  static Permission of(Action action, String name) {
    return new Permission(action, name, false);
  }

  /** On all queues or namespaces whose names have the prefix. */
  static Permission ofPrefix(Action action, String prefix) {
    return new Permission(action, prefix, true);
  }

  /** Whether it is for all queues or namespaces. */
  boolean isAny() {
    return isPrefix && name.isEmpty();
  }
}
