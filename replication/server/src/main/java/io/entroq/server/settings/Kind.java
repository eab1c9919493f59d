package io.entroq.server.settings;

import java.util.function.Function;

/**
 * What the values of a setting are, and how they are written.
 *
 * @param label one of them in the help
 * @param range which of them may be; empty: any
 * @param reader reads one; says what is wrong by an {@link IllegalArgumentException}
 * @param printer shows one, as it could be given; hides what is nobody's business
 */
public record Kind<T>(
    String label, String range, Function<String, T> reader, Function<T, String> printer) {

  /** Reads a value, or says what is wrong and what would be right. */
  T read(String text) {
    return reader.apply(text);
  }
}
