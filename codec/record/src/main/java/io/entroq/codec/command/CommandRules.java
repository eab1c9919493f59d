package io.entroq.codec.command;

import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.MessageRules;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.message.WireReader;

/** Checks of commands that the schema's options cannot express; called by generated decoders. */
final class CommandRules {
  private static final int SETS_MAX = 1000;

  private CommandRules() {}

  static void taskData(TaskDataDecoder data, WireReader reader, String field) {
    MessageRules.value(data.valueKind(), data.valueLength(), reader, "TaskData.value");
    MessageRules.trace(data.traceLength(), reader, "TaskData.trace");
  }

  static void docData(DocDataDecoder data, WireReader reader, String field) {
    MessageRules.value(data.valueKind(), data.valueLength(), reader, "DocData.value");
  }

  /**
   * A lease change sends nothing but the arrival time, and one that takes a task back not even
   * that. The task stays in its queue.
   */
  static void change(ChangeDecoder change, WireReader reader, String field) {
    if (!MessageRules.isLeaseOnly(change.mode())) {
      return;
    }
    if (change.valueKind() != ValueKinds.ABSENT
        || change.attempt() != 0
        || change.errLength() != 0
        || change.ttlMs() != 0
        || change.traceLength() != 0) {
      throw reader.malformed(field, "a lease change with more than an arrival time");
    }
    if (change.fromQueueLength() == 0) {
      throw reader.malformed(field, "a lease change without from_queue");
    }
    boolean hasArrival = change.byMs() != 0 || change.arrivalMs() > 0;
    if (change.mode() == ChangeModes.TAKE_BACK && hasArrival) {
      throw reader.malformed(field, "takes a task back with an arrival time");
    }
  }

  /** An inserted doc has no version yet. */
  static void docInsert(DocDataDecoder doc, WireReader reader, String field) {
    docData(doc, reader, field);
    requireId(doc, reader, field);
    if (doc.version() != 0) {
      throw reader.malformed(field, "an insert with version " + doc.version());
    }
    if (doc.mode() != ChangeModes.DEFAULT) {
      throw reader.malformed(field, "an insert with mode " + doc.mode());
    }
  }

  /** A change names a doc by its id, or a set by its key. */
  static void docChange(DocDataDecoder doc, WireReader reader, String field) {
    docData(doc, reader, field);
    if (doc.mode() == ChangeModes.RESET_CLAIMS) {
      throw reader.malformed(field, "a doc has no number of claims to reset");
    }
    if (doc.mode() == ChangeModes.TAKE_BACK) {
      throw reader.malformed(field, "a doc set cannot be taken back");
    }
    if (doc.mode() == ChangeModes.DEFAULT) {
      requireId(doc, reader, field);
    } else if (hasId(doc)
        || doc.keyLength() == 0
        || doc.secondaryKeyLength() != 0
        || doc.valueKind() != ValueKinds.ABSENT) {
      throw reader.malformed(
          field, "a lease change with more than the key of a set and an arrival time");
    }
  }

  /** Either a doc by its id, or a set by its key. */
  static void docRef(DocRefDecoder doc, WireReader reader, String field) {
    if (hasId(doc) == (doc.keyLength() != 0)) {
      throw reader.malformed(field, "not either the id of a doc or the key of a set");
    }
  }

  /** Only docs are deleted, not sets. */
  static void docDelete(DocRefDecoder doc, WireReader reader, String field) {
    requireId(doc, reader, field);
    docRef(doc, reader, field);
  }

  private static void requireId(DocItem doc, WireReader reader, String field) {
    if (!hasId(doc)) {
      throw reader.malformed(field, "no id");
    }
  }

  private static boolean hasId(DocItem doc) {
    return (doc.idHigh() | doc.idLow()) != 0;
  }

  /** It names at least one set, and either a lease or the task whose lease counts. */
  static void claimDocs(ClaimDocsDecoder claim, WireReader reader, String field) {
    int sets = claim.setCount();
    if (sets == 0 || sets > SETS_MAX) {
      throw reader.malformed("ClaimDocs.sets", sets + " sets, not 1 to " + SETS_MAX);
    }
    if (claim.hasTask() && claim.leaseMs() != 0) {
      throw reader.malformed("ClaimDocs.lease_ms", "must be 0 beside a task");
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
