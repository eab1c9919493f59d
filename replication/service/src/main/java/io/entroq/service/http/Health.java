package io.entroq.service.http;

import java.util.Optional;

/** The health of the server's dependencies. Any thread; does not block. */
public interface Health {
  /** Why the server cannot take requests now; empty if it can. */
  Optional<String> unreadyBecause();

  /** Why the server will never take requests again; empty if it may. */
  Optional<String> deadBecause();
}
