package io.entroq.service.http;

import java.util.Optional;

/** The health of what the server depends on. Any thread; does not block. */
public interface Health {
  /** Why it is not to be asked anything now, in some words; empty: it may be. */
  Optional<String> unreadyBecause();

  /** Why it never will be again; empty: it will. */
  Optional<String> deadBecause();
}
