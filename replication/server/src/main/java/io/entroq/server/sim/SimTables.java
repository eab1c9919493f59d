package io.entroq.server.sim;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** What may go wrong in a world, and what must hold all the same, as the code says it. */
public final class SimTables {
  private static final int COLUMNS = 80;
  private static final int INDENT = 2;

  private SimTables() {}

  /** The names of all kinds of fault, as a shell completes them. */
  public static final class FaultLabels implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              Stream.of("all", "none"), Arrays.stream(FaultKind.values()).map(FaultKind::label))
          .iterator();
    }
  }

  /** Both as lines for the help of a command. */
  public static List<String> lines() {
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

  /** A name, and what it says from a column on, on as many lines as that takes. */
  private static void row(List<String> lines, int column, String name, String says) {
    StringBuilder line = new StringBuilder(" ".repeat(INDENT)).append(name);
    for (String word : says.split(" ", 0)) {
      if (line.length() + 1 + word.length() > COLUMNS) {
        lines.add(line.toString());
        line = new StringBuilder();
      }
      line.append(" ".repeat(Math.max(1, column - line.length()))).append(word);
    }
    lines.add(line.toString());
  }
}
