package io.entroq.engine.state;

import io.entroq.engine.task.TaskView;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** What a task looked like. Ids and claimants of these tests differ in their lower halves. */
record Shot(
    long id,
    int version,
    String queue,
    long arrivalMs,
    long claimant,
    String claimantText,
    int claims,
    long modifiedMs,
    long createdMs) {

  static Shot of(TaskView task) {
    return new Shot(
        task.idLow(),
        task.version(),
        text(task.queueBuffer(), task.queueOffset(), task.queueLength()),
        task.arrivalMs(),
        task.claimantLow(),
        text(task.claimantTextBuffer(), task.claimantTextOffset(), task.claimantTextLength()),
        task.claims(),
        task.modifiedMs(),
        task.createdMs());
  }

  /** The same without what its writer knows: as it is told again when it has moved on. */
  Shot unsent() {
    return new Shot(
        id, version, "", arrivalMs, claimant, claimantText, claims, modifiedMs, createdMs);
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    if (length > 0) {
      buffer.getBytes(offset, bytes);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
