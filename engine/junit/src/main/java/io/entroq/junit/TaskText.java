package io.entroq.junit;

import io.entroq.api.Task;
import io.entroq.api.Value;
import java.time.Duration;
import java.time.Instant;

/** Tasks in the messages of failures, on one line and of bounded length. */
final class TaskText {
  private static final int CHARS_MAX = 200;

  private TaskText() {}

  /** A task as it is at a time of its queue's clock. */
  static String task(Task task, Instant now) {
    String state = "available";
    if (!task.isAvailableAt(now)) {
      state =
          task.isInFlight()
              ? "held by %s until %s".formatted(task.claimant(), task.arrivalTime())
              : "due at " + task.arrivalTime();
    }
    String attempt = task.attempt() > 0 ? ", attempt " + task.attempt() : "";
    return "%s: %s, %s%s%s"
        .formatted(task.id().text(), value(task.value()), state, attempt, error(task));
  }

  /** Its errors, of which the last ones tell most; empty if there is none. */
  static String error(Task task) {
    String errors = task.err().strip().replaceAll("\\R", " / ");
    int tooMany = errors.length() - CHARS_MAX;
    return errors.isEmpty()
        ? ""
        : ", error \"%s\"".formatted(tooMany > 0 ? "..." + errors.substring(tooMany) : errors);
  }

  /** JSON, or a number of bytes. */
  static String value(Value value) {
    return switch (value.kind()) {
      case ABSENT -> "no value";
      case BYTES -> "%,d bytes".formatted(value.size());
      case JSON -> shortened(value.asJson());
    };
  }

  /** Since a start, such as {@code +30d 00:00:05.250}. */
  static String time(Instant start, Instant time) {
    Duration passed = Duration.between(start, time);
    String days = passed.toDays() > 0 ? passed.toDays() + "d " : "";
    return "+%s%02d:%02d:%02d.%03d"
        .formatted(
            days,
            passed.toHoursPart(),
            passed.toMinutesPart(),
            passed.toSecondsPart(),
            passed.toMillisPart());
  }

  private static String shortened(String text) {
    return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "...";
  }
}
