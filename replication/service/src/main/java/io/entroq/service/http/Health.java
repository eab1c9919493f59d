package io.entroq.service.http;

import java.util.Optional;

/** The health of what the server depends on. Any thread; does not block. */
public interface Health {
  /** Why it cannot take requests now; empty: it can. */
  Optional<String> unreadyBecause();

  /** Why it never will be again; empty: it will. */
  Optional<String> deadBecause();
}
