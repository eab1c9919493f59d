package io.entroq.server.service.call;

import java.util.Optional;

/** What stands before the message of a request, as its transport brings it. */
@FunctionalInterface
public interface Headers {
  /** None at all. */
  Headers NONE = name -> Optional.empty();

  /**
   * The first value of a header.
   *
   * @param name in lower case
   */
  Optional<String> first(String name);
}
