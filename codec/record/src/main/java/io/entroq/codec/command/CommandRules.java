package io.entroq.codec.command;

import io.entroq.codec.message.MessageRules;
import io.entroq.codec.message.WireReader;

/** Checks of commands that the schema's options cannot express; called by generated decoders. */
final class CommandRules {
  private CommandRules() {}

  static void taskData(TaskDataDecoder data, WireReader reader, String field) {
    MessageRules.value(data.valueKind(), data.valueLength(), reader, "TaskData.value");
  }

  static void docData(DocDataDecoder data, WireReader reader, String field) {
    MessageRules.value(data.valueKind(), data.valueLength(), reader, "DocData.value");
  }

  /** An inserted doc has no version yet, and nobody holds it. */
  static void docInsert(DocDataDecoder doc, WireReader reader, String field) {
    docData(doc, reader, field);
    if (doc.version() != 0) {
      throw reader.malformed(field, "an insert with version " + doc.version());
    }
    if (doc.arrivalMs() != 0) {
      throw reader.malformed(field, "an insert with arrival time " + doc.arrivalMs());
    }
  }

  /** A claim that waits can be retried and cancelled, so it has an identity. */
  static void claim(ClaimDecoder claim, WireReader reader, String field) {
    if (claim.waits() && !claim.hasIdentity()) {
      throw reader.malformed("Claim.wait", "a waiting claim without an identity");
    }
  }

  /** A claim inside a Modify is for the same claimant, and never waits. */
  static void thenClaim(ClaimDecoder claim, WireReader reader, String field) {
    boolean hasClaimant =
        (claim.claimantHigh() | claim.claimantLow() | claim.claimantTextLength()) != 0;
    if (claim.hasIdentity()
        || hasClaimant
        || claim.facade() != 0
        || claim.deadlineMs() != 0
        || claim.waits()) {
      throw reader.malformed(field, "sets more than queues, lease_ms and limit");
    }
  }

  static void callersGone(CallersGoneDecoder gone, WireReader reader, String field) {
    if (gone.all() && gone.clientCount() != 0) {
      throw reader.malformed("CallersGone.clients", "must be empty if all is set");
    }
  }
}
