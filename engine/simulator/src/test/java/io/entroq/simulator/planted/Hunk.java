package io.entroq.simulator.planted;

import java.util.ArrayList;
import java.util.List;

/**
 * One place that is changed, as in a diff: lines that stay begin with a blank, those that go with a
 * minus, those that come with a plus. How far lines are indented does not matter.
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
   * The source with the change made.
   *
   * @throws IllegalStateException if the lines that stay and go are not there exactly once
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
