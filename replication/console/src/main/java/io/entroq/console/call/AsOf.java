package io.entroq.console.call;

import java.util.Optional;

/**
 * What a response of the past shows.
 *
 * @param sequence of the last step that it shows
 * @param timeMs at which it judges ages and leases, in milliseconds since 1970
 */
public record AsOf(long sequence, long timeMs) {
  /** Reads what the server says of a response; empty if that is nothing that it would say. */
  static Optional<AsOf> of(String text) {
    String[] parts = text.split(";", -1);
    try {
      return parts.length == 2
          ? Optional.of(new AsOf(Long.parseLong(parts[0]), Long.parseLong(parts[1])))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
