package io.entroq.system.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The end of a member's process, as its parent sees it.
 *
 * @param id of the member
 * @param isKilled whether it was killed while it ran
 * @param mayEnd whether a fault may have ended it
 * @param code its exit code; empty while it runs
 * @param output what it has logged since its start
 */
record ProcessExit(int id, boolean isKilled, boolean mayEnd, OptionalInt code, String output) {
  /** What Aeron says when threads of the process stalled for longer than the process timeout. */
  private static final List<String> STALLED =
      List.of("service interval exceeded", "keepalive: age=");

  private static final int SIGKILL = 128 + 9;
  private static final int TAIL_LINES = 40;
  private static final int LINE_CHARS = 300;

  /** Whether it has ended or is about to. */
  boolean isOver() {
    return code.isPresent() || reportsEnd();
  }

  /** An end, or a divergence, that no fault explains. */
  Optional<String> unexplained() {
    if (output.contains(" have different states ")) {
      return Optional.of("member " + id + " tells of different states:" + tail());
    }
    boolean isKill = isKilled && code.equals(OptionalInt.of(SIGKILL));
    if (mayEnd || !isOver() || (isKill && !reportsEnd())) {
      return Optional.empty();
    }
    return Optional.of("member " + id + " has ended by itself" + how() + ":" + tail());
  }

  /** A later kill then does not explain the end. */
  private boolean reportsEnd() {
    return output.contains("member " + id + " ends: ") || output.contains(MemberMain.HAS_ENDED);
  }

  private String how() {
    String stall = STALLED.stream().anyMatch(output::contains) ? Cluster.AFTER_STALL : "";
    return stall + (code.isPresent() ? " with " + code.getAsInt() : ", or is about to");
  }

  private String tail() {
    List<String> lines = new ArrayList<>(output.lines().toList());
    return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
        .map(line -> "\n    " + line.substring(0, Math.min(line.length(), LINE_CHARS)))
        .collect(Collectors.joining());
  }
}
