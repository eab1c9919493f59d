package io.entroq.system.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * How a process of a member came to its end, or is coming to it, as seen by who has started it.
 *
 * @param id of the member
 * @param isKilled whether it was killed while it ran
 * @param mayEnd whether something was done to it that may end it
 * @param code what it ended with; empty: it runs
 * @param said what it has said since it was started
 */
record Ending(int id, boolean isKilled, boolean mayEnd, OptionalInt code, String said) {
  private static final int SIGKILL = 128 + 9;
  private static final int TAIL_LINES = 40;
  private static final int LINE_CHARS = 300;

  /** Whether there is no more to come from it. */
  boolean isOver() {
    return code.isPresent() || saysThatItEnds();
  }

  /** What nothing explains that was done to it: that it has ended, or what no member should say. */
  Optional<String> unexplained() {
    if (said.contains(" have different states ")) {
      return Optional.of("member " + id + " tells of different states:" + tail());
    }
    boolean isKill = isKilled && code.equals(OptionalInt.of(SIGKILL));
    if (mayEnd || !isOver() || (isKill && !saysThatItEnds())) {
      return Optional.empty();
    }
    return Optional.of("member " + id + " has ended by itself" + how() + ":" + tail());
  }

  /** Then it is killed while it does. */
  private boolean saysThatItEnds() {
    return said.contains("member " + id + " ends: ") || said.contains(MemberMain.HAS_ENDED);
  }

  private String how() {
    return code.isPresent() ? " with " + code.getAsInt() : ", or is about to";
  }

  private String tail() {
    List<String> lines = new ArrayList<>(said.lines().toList());
    return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
        .map(line -> "\n    " + line.substring(0, Math.min(line.length(), LINE_CHARS)))
        .collect(Collectors.joining());
  }
}
