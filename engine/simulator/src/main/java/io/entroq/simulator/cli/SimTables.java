package io.entroq.simulator.cli;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The faults that a world may inject and the invariants that must hold, for the help. */
final class SimTables {
  private static final int COLUMNS = 80;
  private static final int INDENT = 2;

  private SimTables() {}

  /** Faults and invariants as lines of a command's help. */
  static List<String> lines() {
    List<String> lines = new ArrayList<>();
    int column = INDENT + width() + 1;
    lines.add("Faults:");
    for (FaultKind kind : FaultKind.values()) {
      row(lines, column, kind.label(), kind.effect());
    }
    lines.add("");
    lines.add("Invariants:");
    for (Invariant invariant : Invariant.values()) {
      row(lines, column, invariant.label(), invariant.statement());
    }
    return lines;
  }

  private static int width() {
    return Stream.concat(
            Arrays.stream(FaultKind.values()).map(FaultKind::label),
            Arrays.stream(Invariant.values()).map(Invariant::label))
        .mapToInt(String::length)
        .max()
        .orElseThrow();
  }

  /** Adds a name and its description, which starts at a column and wraps. */
  private static void row(List<String> lines, int column, String name, String description) {
    StringBuilder line = new StringBuilder(" ".repeat(INDENT)).append(name);
    for (String word : description.split(" ", 0)) {
      if (line.length() + 1 + word.length() > COLUMNS) {
        lines.add(line.toString());
        line = new StringBuilder();
      }
      line.append(" ".repeat(Math.max(1, column - line.length()))).append(word);
    }
    lines.add(line.toString());
  }
}
