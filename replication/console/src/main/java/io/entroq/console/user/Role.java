package io.entroq.console.user;

import java.util.Locale;
import java.util.Optional;

/** What a user may do in the console. Each role may do what those before it may. */
public enum Role {
  /** Sees everything that is not masked. */
  VIEWER,

  /** Changes tasks, pauses queues, and moves or deletes dead tasks. */
  OPERATOR,

  /** Changes policies, clears queues, and asks for snapshots. */
  ADMIN;

  /** Whether this role may do what another one may. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /** The name in files, settings and pages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of a name; empty if there is none. */
  public static Optional<Role> named(String label) {
    for (Role role : values()) {
      if (role.label().equals(label)) {
        return Optional.of(role);
      }
    }
    return Optional.empty();
  }
}
