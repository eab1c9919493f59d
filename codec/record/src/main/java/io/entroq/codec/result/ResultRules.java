package io.entroq.codec.result;

import io.entroq.codec.message.MessageRules;
import io.entroq.codec.message.WireReader;

/** Checks of results that the schema's options cannot express. */
public final class ResultRules {
  private ResultRules() {}

  static void task(TaskDecoder task, WireReader reader, String field) {
    MessageRules.value(task.valueKind(), task.valueLength(), reader, "Task.value");
    MessageRules.trace(task.traceLength(), reader, "Task.trace");
  }

  static void doc(DocDecoder doc, WireReader reader, String field) {
    MessageRules.value(doc.valueKind(), doc.valueLength(), reader, "Doc.value");
  }

  /** Whether a result code reports that a queue's task limit was exceeded. */
  public static boolean isOfQueueLimit(int code) {
    return code == ResultCodes.QUEUE_FULL
        || code == ResultCodes.QUEUE_BYTES_FULL
        || code == ResultCodes.NEVER_FITS;
  }
}
