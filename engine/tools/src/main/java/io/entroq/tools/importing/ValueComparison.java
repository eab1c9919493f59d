package io.entroq.tools.importing;

import io.entroq.api.Value;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import java.util.Optional;

/**
 * Whether two values are the same. The members of a JSON object have no order, and a source may
 * serialize them in another one each time.
 */
final class ValueComparison {
  private ValueComparison() {}

  /** What of a value is not as it was copied from another, in words; empty if nothing. */
  static Optional<String> difference(Value source, Value target) {
    return isSame(source, target)
        ? Optional.empty()
        : Optional.of("has as its value %s, there %s".formatted(text(source), text(target)));
  }

  private static boolean isSame(Value source, Value target) {
    if (source.equals(target)) {
      return true;
    }
    return source.kind() == Value.Kind.JSON
        && target.kind() == Value.Kind.JSON
        && isValid(source)
        && source.asText().equals(target.asText());
  }

  /** What the target has was checked when it was inserted. */
  private static boolean isValid(Value source) {
    try {
      Values.check(source.unwrap(), 0, source.size());
      return true;
    } catch (InvalidValueException e) {
      return false;
    }
  }

  /** What a value is, for people. */
  private static String text(Value value) {
    return switch (value.kind()) {
      case ABSENT -> "none";
      case BYTES -> "%,d bytes".formatted(value.size());
      case JSON -> "JSON of %,d bytes".formatted(value.size());
    };
  }
}
