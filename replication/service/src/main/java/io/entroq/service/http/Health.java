package io.entroq.service.http;

import java.util.Optional;

/** The health of what the server depends on. Any thread; does not block. */
public interface Health {
  /** Why it cannot take requests now; empty if it can. */
  Optional<String> unreadyBecause();

  /** Why it will never take requests again; empty if it may. */
  Optional<String> deadBecause();
}
