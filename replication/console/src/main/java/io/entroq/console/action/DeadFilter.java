package io.entroq.console.action;

import io.entroq.api.redrive.ErrorShape;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.web.PageException;
import java.util.List;
import java.util.Optional;

/**
 * Which tasks of a dead queue an action is for: those to which everything given here applies.
 * Immutable.
 *
 * @param from the dead queue
 * @param err text that the error contains; may be empty
 * @param shape that the error has exactly, which is empty for tasks without an error; absent for
 *     any
 * @param origin the queue that they came from; empty for any
 * @param reason why the server moved them; DEAD_NONE for any
 * @param isWithoutOrigin whether it is for those alone that a client moved
 */
record DeadFilter(
    String from,
    String err,
    Optional<String> shape,
    String origin,
    DeadReason reason,
    boolean isWithoutOrigin) {
  private static final String BY_CLIENT = "moved by a client";

  /** In the order of {@link DeadReason}, and one more. */
  private static final List<String> REASONS =
      List.of("any", "failed", "lapsed", "expired", "overflow", BY_CLIENT);

  private static final String YES = "yes";
  private static final String NO = "no";

  /**
   * Reads the fields of a form, or parameters.
   *
   * @throws PageException if it names no queue, or what does not go together
   */
  static DeadFilter of(Visit visit) {
    if (visit.text("from").isEmpty()) {
      throw PageException.invalid("Name a queue of dead tasks.");
    }
    int reason = visit.text("reason").isEmpty() ? 0 : REASONS.indexOf(visit.text("reason"));
    if (reason < 0) {
      throw PageException.invalid("Choose one of the reasons.");
    }
    boolean isWithoutOrigin = reason == REASONS.indexOf(BY_CLIENT);
    if (isWithoutOrigin && !visit.text("origin").isEmpty()) {
      throw PageException.invalid(
          "Nothing says where a task came from that a client moved. Leave the queue empty.");
    }
    return new DeadFilter(
        visit.text("from"),
        visit.text("err"),
        shape(visit),
        visit.text("origin"),
        isWithoutOrigin ? DeadReason.DEAD_NONE : DeadReason.forNumber(reason),
        isWithoutOrigin);
  }

  private static Optional<String> shape(Visit visit) {
    String shape = visit.text("shape");
    String blank = visit.text("blank");
    if (!List.of("", NO, YES).contains(blank)) {
      throw PageException.invalid("Choose whether it is for tasks without an error alone.");
    }
    if (shape.length() > ErrorShape.CHARS_MAX) {
      throw PageException.invalid(
          "A shape has at most %d characters.".formatted(ErrorShape.CHARS_MAX));
    }
    if (blank.equals(YES) && !shape.isEmpty()) {
      throw PageException.invalid("A task without an error has no shape. Leave the shape empty.");
    }
    return shape.isEmpty() && !blank.equals(YES) ? Optional.empty() : Optional.of(shape);
  }

  /** Exactly the tasks of a group. */
  static DeadFilter of(DeadGroup group) {
    return new DeadFilter(
        group.getQueue(),
        "",
        Optional.of(group.getShape()),
        group.getOrigin(),
        group.getReason(),
        group.getReason() == DeadReason.DEAD_NONE);
  }

  /** The parameters that give this filter, names and values in turn. */
  String[] parameters() {
    return hidden().stream()
        .flatMap(field -> List.of(field.name(), field.value()).stream())
        .toArray(String[]::new);
  }

  private String reasonName() {
    return isWithoutOrigin ? BY_CLIENT : REASONS.get(reason.getNumber());
  }

  private String blank() {
    return shape.map(String::isEmpty).orElse(false) ? YES : NO;
  }

  /** What can be entered. */
  List<Field> fields() {
    return List.of(
        Field.hidden("from", from),
        Field.line(
            "shape",
            "Only errors of exactly this shape",
            shape.orElse(""),
            "Numbers and ids are #, quoted text is \"...\". Leave it empty for all."),
        Field.choice("blank", "Only tasks without an error", blank(), "", List.of(NO, YES)),
        Field.line("err", "Only errors with this text", err, "Leave it empty for all."),
        Field.line("origin", "Only from this queue", origin, "Leave it empty for all."),
        Field.choice("reason", "Only for this reason", reasonName(), "", REASONS));
  }

  /** The same, without being shown. */
  List<Field> hidden() {
    return List.of(
        Field.hidden("from", from),
        Field.hidden("shape", shape.orElse("")),
        Field.hidden("blank", blank()),
        Field.hidden("err", err),
        Field.hidden("origin", origin),
        Field.hidden("reason", reasonName()));
  }

  /** A redrive of these tasks. */
  RedriveRequest.Builder redrive() {
    RedriveRequest.Builder request =
        RedriveRequest.newBuilder()
            .setFrom(from)
            .setErr(err)
            .setOrigin(origin)
            .setReason(reason)
            .setWithoutOrigin(isWithoutOrigin);
    shape.ifPresent(request::setShape);
    return request;
  }

  /** Whether it is for a task; as {@link #redrive} selects them. */
  boolean selects(Task task) {
    return task.getErr().contains(err)
        && shape.map(exact -> ErrorShape.of(task.getErr()).equals(exact)).orElse(true)
        && (origin.isEmpty() || task.getOrigin().equals(origin))
        && (reason == DeadReason.DEAD_NONE || task.getReason() == reason)
        && !(isWithoutOrigin && task.getReason() != DeadReason.DEAD_NONE);
  }
}
