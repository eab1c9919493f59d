package io.entroq.simulator.planted;

import java.util.ArrayList;
import java.util.List;

/**
 * One change, as in a diff: context lines begin with a blank, removed lines with a minus, added
 * lines with a plus. Indentation does not matter.
 */
record Hunk(List<String> lines) {
  private static final char COMES = '+';
  private static final char GOES = '-';

  Hunk {
    lines = List.copyOf(lines);
  }

  static boolean isLine(String line) {
    return !line.isEmpty() && " +-".indexOf(line.charAt(0)) >= 0;
  }

  /**
   * The changed source.
   *
   * @throws IllegalStateException unless the context and removed lines occur exactly once
   */
  List<String> applyTo(List<String> source) {
    int at = find(source);
    List<String> changed = new ArrayList<>(source.subList(0, at));
    for (String line : lines) {
      if (line.charAt(0) == COMES) {
        changed.add(line.substring(1));
      } else {
        if (line.charAt(0) != GOES) {
          changed.add(source.get(at));
        }
        at++;
      }
    }
    changed.addAll(source.subList(at, source.size()));
    return changed;
  }

  private int find(List<String> source) {
    List<String> wanted =
        lines.stream()
            .filter(line -> line.charAt(0) != COMES)
            .map(line -> line.substring(1).strip())
            .toList();
    List<String> stripped = source.stream().map(String::strip).toList();
    int found = -1;
    for (int at = 0; at + wanted.size() <= stripped.size(); at++) {
      if (stripped.subList(at, at + wanted.size()).equals(wanted)) {
        require(found < 0, "more than once", wanted);
        found = at;
      }
    }
    require(found >= 0 && !wanted.isEmpty(), "not", wanted);
    return found;
  }

  private static void require(boolean fact, String how, List<String> wanted) {
    if (!fact) {
      throw new IllegalStateException(
          "these lines are %s there:%n%s".formatted(how, String.join("\n", wanted)));
    }
  }
}
