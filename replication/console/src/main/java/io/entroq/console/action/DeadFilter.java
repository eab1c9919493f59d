package io.entroq.console.action;

import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.web.PageException;
import java.util.List;

/**
 * Which tasks of a dead queue an action is for: those to which everything given here applies.
 * Immutable.
 *
 * @param from the dead queue
 * @param err text that the error contains; may be empty
 * @param origin the queue that they came from; empty for any
 * @param reason why the server moved them; DEAD_NONE for any
 */
record DeadFilter(String from, String err, String origin, DeadReason reason) {
  private static final List<String> REASONS =
      List.of("any", "failed", "lapsed", "expired", "overflow");

  /**
   * Reads the fields of a form, or parameters.
   *
   * @throws PageException if it names no queue, or no known reason
   */
  static DeadFilter of(Visit visit) {
    if (visit.text("from").isEmpty()) {
      throw PageException.invalid("Name a queue of dead tasks.");
    }
    int reason = visit.text("reason").isEmpty() ? 0 : REASONS.indexOf(visit.text("reason"));
    if (reason < 0) {
      throw PageException.invalid("Choose one of the reasons.");
    }
    return new DeadFilter(
        visit.text("from"), visit.text("err"), visit.text("origin"), DeadReason.forNumber(reason));
  }

  /** The name of a reason in parameters. */
  static String name(DeadReason reason) {
    return reason == DeadReason.DEAD_NONE ? "" : REASONS.get(reason.getNumber());
  }

  /** What can be entered. */
  List<Field> fields() {
    return List.of(
        Field.hidden("from", from),
        Field.line("err", "Only errors with this text", err, "Leave it empty for all."),
        Field.line("origin", "Only from this queue", origin, "Leave it empty for all."),
        Field.choice(
            "reason", "Only for this reason", REASONS.get(reason.getNumber()), "", REASONS));
  }

  /** The same, without being shown. */
  List<Field> hidden() {
    return List.of(
        Field.hidden("from", from),
        Field.hidden("err", err),
        Field.hidden("origin", origin),
        Field.hidden("reason", REASONS.get(reason.getNumber())));
  }

  /** A redrive of these tasks. */
  RedriveRequest.Builder redrive() {
    return RedriveRequest.newBuilder()
        .setFrom(from)
        .setErr(err)
        .setOrigin(origin)
        .setReason(reason);
  }

  /** Whether it is for a task; as {@link #redrive} selects them. */
  boolean selects(Task task) {
    return task.getErr().contains(err)
        && (origin.isEmpty() || task.getOrigin().equals(origin))
        && (reason == DeadReason.DEAD_NONE || task.getReason() == reason);
  }
}
