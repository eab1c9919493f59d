package io.entroq.service.call;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The headers of a request. */
@FunctionalInterface
public interface Headers {
  /** None. */
  Headers NONE = name -> Optional.empty();

  /**
   * The first value of a header.
   *
   * @param name in lower case
   */
  Optional<String> first(String name);

  /**
   * All values of a header, in order.
   *
   * @param name in lower case
   */
  default List<String> all(String name) {
    return first(name).stream().toList();
  }

  /**
   * Copies some headers, so that they can be read at any time.
   *
   * @param names in lower case
   */
  default Headers held(Set<String> names) {
    Map<String, String> held = new HashMap<>();
    names.forEach(name -> first(name).ifPresent(value -> held.put(name, value)));
    return held.isEmpty() ? NONE : name -> Optional.ofNullable(held.get(name));
  }
}
