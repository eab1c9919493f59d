package io.entroq.service.http;

import java.util.Optional;

/**
 * How what a server stands on is, where its answers do not tell: it may have to wait for others,
 * and be well. Any thread; nothing blocks.
 */
public interface Health {
  /** Why it is not to be asked anything now, in some words; empty: it may be. */
  Optional<String> unreadyBecause();

  /** Why it never will be again; empty: it will. */
  Optional<String> deadBecause();
}
