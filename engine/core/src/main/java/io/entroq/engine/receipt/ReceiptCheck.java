package io.entroq.engine.receipt;

import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultRules;
import io.entroq.engine.memory.ChunkReader;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** Checks that bytes of a snapshot are a valid receipt, down to its last entry. */
final class ReceiptCheck {

  /** The keys of former claimants with a text, upper and lower halves. */
  private final LongArrayList formerClaimants = new LongArrayList();

  /** The keys of the claimants whose texts the receipts refer to, upper and lower halves. */
  LongArrayList formerClaimants() {
    return formerClaimants;
  }

  /** Rejects bytes that are not a receipt. */
  void require(ChunkReader in, int from, int length) {
    UnsafeBuffer buffer = in.buffer();
    int stated = buffer.getInt(from + Receipt.LENGTH);
    in.require(stated == length, "length in a receipt", stated);
    int code = buffer.getInt(from + Receipt.CODE);
    in.require(code >= Receipt.CODE_PARKED && code <= ResultCodes.MAX, "code", code);
    int marks = buffer.getInt(from + Receipt.MARKS);
    boolean isClaim = (marks & Receipt.MARK_CLAIM) != 0;
    int marksKnown =
        Receipt.MARK_CLAIM | Receipt.MARK_DELIVERED | (isClaim ? 0 : Receipt.MARK_MODIFY);
    in.require((marks & ~marksKnown) == 0, "marks", marks);
    boolean isModify = (marks & Receipt.MARK_MODIFY) != 0;
    int itemKind = buffer.getInt(from + Receipt.ITEM_KIND);
    in.require(isItemKind(itemKind), "kind of item", itemKind);
    int tasks =
        count(in, from + Receipt.INSERTED, length) + count(in, from + Receipt.CHANGED, length);
    in.require(isModify || tasks == 0, "tasks written by a request that is no Modify", tasks);
    int docs = count(in, from + Receipt.DOCS, length);
    int claimed = count(in, from + Receipt.CLAIMED, length);
    in.require(
        claimed > 0 || (marks & Receipt.MARK_DELIVERED) == 0,
        "delivered, of claimed tasks",
        claimed);
    int counted = count(in, from + Receipt.FAILURES, length);
    int decided = code == ResultCodes.OK ? counted : 0;
    int failures = counted - decided;
    in.require(isModify || decided == 0, "tasks decided for a request that is no Modify", decided);
    if (ResultRules.isOfQueueLimit(code)) {
      requireFull(in, from, length, tasks + docs + claimed + failures);
      return;
    }
    boolean isParked = code == Receipt.CODE_PARKED;
    in.require(
        !isParked || (marks == Receipt.MARK_CLAIM && length == Receipt.HEADER_BYTES),
        "parked, of length",
        length);
    long end =
        (long) from
            + Receipt.HEADER_BYTES
            + (long) tasks * Receipt.WRITTEN_BYTES
            + (long) docs * Receipt.DOC_BYTES;
    in.require(end <= (long) from + length, "entries up to", end);
    int afterDecided = requireDecided(in, (int) end, decided, from + length);
    end = (long) afterDecided + (long) claimed * Receipt.CLAIMED_BYTES;
    in.require(end <= (long) from + length, "entries up to", end);
    // Never both: tasks are claimed only if nothing has failed.
    in.require(claimed == 0 || failures == 0, "claimed tasks beside failures", claimed);
    requireClaims(in, from + Receipt.HEADER_BYTES, tasks);
    requireDocs(in, from + Receipt.HEADER_BYTES + tasks * Receipt.WRITTEN_BYTES, docs, isModify);
    findClaimants(in, (int) end - claimed * Receipt.CLAIMED_BYTES, claimed);
    int at = requireFailures(in, (int) end, failures, from + length);
    in.require(at == from + length, "bytes after the entries of a receipt", from + length - at);
  }

  private static void requireFull(ChunkReader in, int from, int length, int entries) {
    in.require(
        entries == 0 && length == Receipt.HEADER_BYTES + Receipt.FULL_BYTES,
        "full queue, of length",
        length);
    long tasks = in.buffer().getLong(from + Receipt.FULL_TASKS);
    in.require(tasks >= 0, "tasks of a full queue", tasks);
    long tasksMax = in.buffer().getLong(from + Receipt.FULL_TASKS_MAX);
    in.require(tasksMax > 0, "tasks that a full queue may have", tasksMax);
  }

  private static boolean isItemKind(int kind) {
    return kind >= ItemKinds.NONE && kind <= ItemKinds.MAX;
  }

  /** Every entry takes at least 40 bytes, so a larger count is wrong; no sum overflows. */
  private static int count(ChunkReader in, int at, int length) {
    int count = in.buffer().getInt(at);
    in.require(count >= 0 && count <= length / Receipt.WRITTEN_BYTES, "entries", count);
    return count;
  }

  private static void requireClaims(ChunkReader in, int from, int count) {
    int at = from + Receipt.ENTRY_CLAIMS;
    for (int i = 0; i < count; i++, at += Receipt.WRITTEN_BYTES) {
      int claims = in.buffer().getInt(at);
      in.require(claims >= 0, "claims of a task that was written", claims);
    }
  }

  private static void requireDocs(ChunkReader in, int from, int count, boolean isModify) {
    UnsafeBuffer buffer = in.buffer();
    for (int i = 0, at = from; i < count; i++, at += Receipt.DOC_BYTES) {
      int version = buffer.getInt(at + Receipt.ENTRY_VERSION);
      in.require(version >= 0, "version of a doc", version);
      int set = buffer.getInt(at + Receipt.ENTRY_SET_INDEX);
      in.require(set >= 0 && (set == 0 || !isModify), "position of a doc set", set);
      long idHigh = buffer.getLong(at + Receipt.ENTRY_ID_HIGH);
      boolean isSet = (idHigh | buffer.getLong(at + Receipt.ENTRY_ID_LOW)) == 0;
      long docs = buffer.getLong(at + Receipt.ENTRY_CREATED);
      in.require(!isSet || (docs >= 0 && docs <= Integer.MAX_VALUE), "docs of a set", docs);
    }
  }

  private void findClaimants(ChunkReader in, int from, int count) {
    UnsafeBuffer buffer = in.buffer();
    int at = from;
    for (int i = 0; i < count; i++, at += Receipt.CLAIMED_BYTES) {
      if (buffer.getInt(at + Receipt.ENTRY_HAD_TEXT) != 0) {
        formerClaimants.addLong(buffer.getLong(at + Receipt.ENTRY_CLAIMANT_HIGH));
        formerClaimants.addLong(buffer.getLong(at + Receipt.ENTRY_CLAIMANT_LOW));
      }
    }
  }

  private static int requireDecided(ChunkReader in, int from, int count, int end) {
    UnsafeBuffer buffer = in.buffer();
    int at = from;
    for (int i = 0; i < count; i++) {
      in.require(end - at >= Receipt.DECIDED_BYTES, "bytes left for a decided task", end - at);
      int kind = buffer.getInt(at + Receipt.DECIDED_KIND);
      boolean isDecided =
          kind == ItemKinds.FAIL || kind == ItemKinds.CHANGE || kind == ItemKinds.INSERT;
      in.require(isDecided, "decided item, kind", kind);
      int claims = buffer.getInt(at + Receipt.ENTRY_CLAIMS);
      in.require(claims >= 0, "claims of a decided task", claims);
      int lapses = buffer.getInt(at + Receipt.DECIDED_LAPSES);
      in.require(lapses >= 0, "lapses", lapses);
      int reason = buffer.getInt(at + Receipt.DECIDED_REASON);
      in.require(reason >= DeadReasons.NONE && reason <= DeadReasons.MAX, "reason", reason);
      int name = buffer.getInt(at + Receipt.DECIDED_NAME_LENGTH);
      int left = end - at - Receipt.DECIDED_BYTES;
      in.require(
          name > 0 && name <= FieldLimits.TEXT_BYTES_MAX && Receipt.align(name) <= left,
          "bytes of a queue",
          name);
      in.requireUtf8(at + Receipt.DECIDED_BYTES, name);
      at += Receipt.DECIDED_BYTES + Receipt.align(name);
    }
    return at;
  }

  private static int requireFailures(ChunkReader in, int from, int count, int end) {
    UnsafeBuffer buffer = in.buffer();
    int at = from;
    for (int i = 0; i < count; i++) {
      in.require(end - at >= Receipt.FAILURE_BYTES, "bytes left for a failure", end - at);
      int kind = buffer.getInt(at + Receipt.FAILURE_KIND);
      in.require(isItemKind(kind), "kind of a failed item", kind);
      int version = buffer.getInt(at + Receipt.FAILURE_VERSION);
      in.require(version >= FailedItem.NO_VERSION, "version of what exists", version);
      int name = buffer.getInt(at + Receipt.FAILURE_NAME_LENGTH);
      int left = end - at - Receipt.FAILURE_BYTES;
      in.require(name >= 0 && name <= left, "bytes of a name", name);
      int idText = buffer.getInt(at + Receipt.FAILURE_ID_TEXT_LENGTH);
      in.require(
          idText >= 0 && idText <= left - name && Receipt.align(name + idText) <= left,
          "bytes of an id text",
          idText);
      in.requireUtf8(at + Receipt.FAILURE_BYTES, name);
      in.requireUtf8(at + Receipt.FAILURE_BYTES + name, idText);
      at += Receipt.FAILURE_BYTES + Receipt.align(name + idText);
    }
    return at;
  }
}
