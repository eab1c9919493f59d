package io.entroq.simulator.fault;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A choice of fault kinds as text, for the command line and for reports. */
public final class FaultChoice {
  private static final String ALL = "all";
  private static final String NONE = "none";

  private FaultChoice() {}

  /**
   * Parses a choice.
   *
   * @param text {@code all}, {@code none}, or {@link FaultKind#label labels} of kinds, separated by
   *     commas; a dash in front of a kind excludes it
   * @throws IllegalArgumentException if a kind does not exist, and then the message lists all
   *     kinds; or if {@code all} or {@code none} contradicts the rest
   */
  public static Set<FaultKind> parse(String text) {
    Set<FaultKind> chosen = EnumSet.noneOf(FaultKind.class);
    Set<FaultKind> left = EnumSet.noneOf(FaultKind.class);
    for (String each : text.split(",", -1)) {
      String name = each.trim();
      if (name.equals(ALL)) {
        chosen = EnumSet.allOf(FaultKind.class);
      } else if (name.equals(NONE)) {
        requireAlone(text);
      } else {
        (name.startsWith("-") ? left : chosen).add(kind(name.replaceFirst("^-", ""), text));
      }
    }
    if (chosen.isEmpty() && !left.isEmpty()) {
      chosen = EnumSet.allOf(FaultKind.class);
    }
    chosen.removeAll(left);
    return chosen;
  }

  private static void requireAlone(String text) {
    if (!text.trim().equals(NONE)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "'none' cannot be combined with other faults, as in '%s'", text));
    }
  }

  private static FaultKind kind(String label, String text) {
    if (label.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "empty fault name in '%s'; use 'none' for no faults", text));
    }
    if (label.equals(ALL) || label.equals(NONE)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "a dash excludes one kind of fault, but '%s' is not a kind", label));
    }
    for (FaultKind kind : FaultKind.values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "unknown fault '%s'; known are: all, none, %s",
            label,
            join(EnumSet.allOf(FaultKind.class), "").replace(",", ", ")));
  }

  /** The shortest text that {@link #parse} reads as this choice. */
  public static String print(Set<FaultKind> kinds) {
    Set<FaultKind> left = EnumSet.allOf(FaultKind.class);
    left.removeAll(kinds);
    if (left.isEmpty()) {
      return ALL;
    }
    if (kinds.isEmpty()) {
      return NONE;
    }
    return left.size() < kinds.size() ? join(left, "-") : join(kinds, "");
  }

  private static String join(Set<FaultKind> kinds, String before) {
    return Arrays.stream(FaultKind.values())
        .filter(kinds::contains)
        .map(kind -> before + kind.label())
        .collect(Collectors.joining(","));
  }
}
