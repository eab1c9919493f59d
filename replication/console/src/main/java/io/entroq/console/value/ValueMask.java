package io.entroq.console.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which parts of JSON values are hidden, as JSON pointers (RFC 6901) in which {@code *} is any
 * member or index. Immutable.
 *
 * @param paths the segments that are left of each pointer, at the place in a value that this is for
 */
public record ValueMask(List<List<String>> paths) {
  /** Hides nothing. */
  public static final ValueMask NONE = new ValueMask(List.of());

  private static final String ANY = "*";

  public ValueMask {
    paths = List.copyOf(paths);
  }

  /**
   * Reads pointers.
   *
   * @throws IllegalArgumentException if one does not begin with a slash
   */
  public static ValueMask of(List<String> pointers) {
    List<List<String>> paths = new ArrayList<>();
    for (String pointer : pointers) {
      if (!pointer.startsWith("/")) {
        throw new IllegalArgumentException(
            "'%s' is not a JSON pointer: it must begin with /".formatted(pointer));
      }
      paths.add(
          Arrays.stream(pointer.substring(1).split("/", -1))
              .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
              .toList());
    }
    return new ValueMask(paths);
  }

  /** Whether nothing is hidden anywhere. */
  public boolean isEmpty() {
    return paths.isEmpty();
  }

  /** Whether the value at this place is hidden as a whole. */
  boolean hides() {
    return paths.stream().anyMatch(List::isEmpty);
  }

  /** What is hidden in a member of this place. */
  ValueMask at(String member) {
    if (paths.isEmpty()) {
      return this;
    }
    return new ValueMask(
        paths.stream()
            .filter(path -> path.get(0).equals(ANY) || path.get(0).equals(member))
            .map(path -> path.subList(1, path.size()))
            .toList());
  }
}
