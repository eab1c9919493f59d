package io.entroq.tools.importing;

import io.entroq.api.Value;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import java.util.Optional;

/**
 * Compares values. JSON objects are compared without regard to the order of members, which a source
 * may vary.
 */
final class ValueComparison {
  private ValueComparison() {}

  /** Describes the difference of two values; empty if they are equal. */
  static Optional<String> difference(Value source, Value target) {
    return isSame(source, target)
        ? Optional.empty()
        : Optional.of("has value %s, there %s".formatted(text(source), text(target)));
  }

  private static boolean isSame(Value source, Value target) {
    if (source.equals(target)) {
      return true;
    }
    return source.kind() == Value.Kind.JSON
        && target.kind() == Value.Kind.JSON
        && isValid(source)
        && Values.toJson(source.unwrap()).equals(Values.toJson(target.unwrap()));
  }

  /** Checks only the source's value; the target's was checked when it was inserted. */
  private static boolean isValid(Value source) {
    try {
      Values.check(source.unwrap(), 0, source.size());
      return true;
    } catch (InvalidValueException e) {
      return false;
    }
  }

  private static String text(Value value) {
    return switch (value.kind()) {
      case ABSENT -> "none";
      case BYTES -> "%,d bytes".formatted(value.size());
      case JSON -> "JSON of %,d bytes".formatted(value.size());
    };
  }
}
