package io.entroq.console.login;

import java.util.Optional;

/** Reads the header in which browsers send cookies back. */
final class Cookies {
  private Cookies() {}

  /**
   * The value of a cookie.
   *
   * @param header may be empty
   */
  static Optional<String> find(String header, String name) {
    for (String pair : header.split(";", -1)) {
      int mark = pair.indexOf('=');
      if (mark > 0 && pair.substring(0, mark).strip().equals(name)) {
        return Optional.of(pair.substring(mark + 1).strip());
      }
    }
    return Optional.empty();
  }
}
