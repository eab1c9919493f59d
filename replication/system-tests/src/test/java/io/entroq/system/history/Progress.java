package io.entroq.system.history;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Whether callers get anything done, as a cluster that refuses everything does nothing wrong. */
public final class Progress {
  private Progress() {}

  /**
   * What callers have not got done yet.
   *
   * @param since what was asked since all should be well
   * @param callers who should each have got done something of each kind
   * @param expected not empty
   * @return empty: nothing is missing
   */
  public static List<Finding> missing(History since, Set<String> callers, Set<Kind> expected) {
    List<Finding> missing = new ArrayList<>();
    for (String caller : callers) {
      Set<Kind> kinds = EnumSet.copyOf(expected);
      since.operations().stream()
          .filter(op -> op.asked().caller().equals(caller) && hasGotOn(op))
          .forEach(op -> kinds.remove(op.asked().kind()));
      if (!kinds.isEmpty()) {
        missing.add(new Finding(Harm.STUCK, caller + " does not get on, but waits for " + kinds));
      }
    }
    return missing;
  }

  /** Whether a caller has got anything done at all. */
  public static boolean hasGotOn(History since, String caller) {
    return since.operations().stream()
        .anyMatch(op -> op.asked().caller().equals(caller) && hasGotOn(op));
  }

  /** A claim that finds nothing shows only that somebody answers. */
  private static boolean hasGotOn(Operation op) {
    boolean isInVain =
        op.asked().kind() == Kind.CLAIM && op.told().map(Told::tasks).orElse(List.of()).isEmpty();
    return op.isKnown() && !isInVain;
  }
}
