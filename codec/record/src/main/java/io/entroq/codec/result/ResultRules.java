package io.entroq.codec.result;

import io.entroq.codec.message.MessageRules;
import io.entroq.codec.message.WireReader;

/** Rules for results that the options of the schema cannot express, and a group of result codes. */
public final class ResultRules {
  private ResultRules() {}

  static void task(TaskDecoder task, WireReader reader, String field) {
    MessageRules.value(task.valueKind(), task.valueLength(), reader, "Task.value");
  }

  static void doc(DocDecoder doc, WireReader reader, String field) {
    MessageRules.value(doc.valueKind(), doc.valueLength(), reader, "Doc.value");
  }

  /** Whether a result code says that a queue may not have so many tasks. */
  public static boolean isOfQueueLimit(int code) {
    return code == ResultCodes.QUEUE_FULL || code == ResultCodes.NEVER_FITS;
  }
}
