package io.entroq.simulator.check;

import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.ArrayList;
import java.util.List;

/** What modifies and claims do to docs, and why they are refused. */
final class DocRules {

  private static final int FIRST_VERSION = 1;

  private final Account account;
  private final Cells cells;
  private final Docs docs;
  private final Answers answers;

  /** The docs of the claimed key, in order. */
  private final List<Integer> found = new ArrayList<>();

  private ModifyDecoder modify;
  private long claimantText;

  DocRules(Account account) {
    this.account = account;
    this.cells = account.cells;
    this.docs = account.docs;
    this.answers = account.answers;
  }

  // Modifies.

  /** The name of the doc in a failed item. */
  String name(ModifyDecoder of, int kind, int index) {
    DocItem item =
        switch (kind) {
          case ItemKinds.DOC_INSERT -> of.docInsert(index);
          case ItemKinds.DOC_CHANGE -> of.docChange(index);
          case ItemKinds.DOC_DELETE -> of.docDelete(index);
          default -> of.docDepend(index);
        };
    int namespace =
        account.texts.number(of.buffer(), item.namespaceOffset(), item.namespaceLength());
    return docs.name(namespace, item.idHigh(), item.idLow());
  }

  /** Applies a modify whose checks have all passed. */
  void commit(Step step, ModifyDecoder of, DocCheck check, int answer, long text) {
    modify = of;
    claimantText = text;
    for (int i = 0; i < modify.docInsertCount(); i++) {
      expectWritten(insert(step, modify.docInsert(i)), answer, i);
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      change(step, check.changed(i), modify.docChange(i));
      expectWritten(check.changed(i), answer, modify.docInsertCount() + i);
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      delete(check.deleted(i));
    }
  }

  /** The answer shows a written doc without its content, which the caller has sent. */
  private void expectWritten(int doc, int answer, int index) {
    expectDoc(Invariant.DOCS_AS_THEY_STAND, answers.doc(answer, index), doc, false);
    account.receipts.doc(doc);
  }

  private int insert(Step step, DocDataDecoder insert) {
    int namespace = text(insert.namespaceOffset(), insert.namespaceLength());
    int doc = docs.add(namespace, insert.idHigh(), insert.idLow());
    cells.set(
        doc + Docs.ID_TEXT,
        Hashes.bytes(modify.buffer(), insert.idTextOffset(), insert.idTextLength()));
    cells.set(doc + Docs.VERSION, FIRST_VERSION);
    cells.set(doc + Docs.ARRIVAL_MS, step.nowMs);
    cells.set(doc + Docs.CREATED_MS, step.nowMs);
    cells.set(doc + Docs.INSERTED_AT, step.sequence);
    cells.set(doc + Docs.KEY, text(insert.keyOffset(), insert.keyLength()));
    cells.set(
        doc + Docs.SECONDARY_KEY, text(insert.secondaryKeyOffset(), insert.secondaryKeyLength()));
    cells.set(doc + Docs.PLACED_AT, step.sequence);
    fill(step, doc, insert);
    return doc;
  }

  /** Without a new key, the doc keeps its key. */
  private void change(Step step, int doc, DocDataDecoder change) {
    if (change.keyLength() > 0) {
      place(step, doc, Docs.KEY, text(change.keyOffset(), change.keyLength()));
    }
    if (change.secondaryKeyLength() > 0) {
      place(
          step,
          doc,
          Docs.SECONDARY_KEY,
          text(change.secondaryKeyOffset(), change.secondaryKeyLength()));
    }
    fill(step, doc, change);
    cells.add(doc + Docs.VERSION, 1);
    long arrivalMs = ModifyRules.arrivalMs(change.arrivalMs(), step.nowMs);
    cells.set(doc + Docs.ARRIVAL_MS, arrivalMs);
    if (arrivalMs > step.nowMs) {
      claimant(doc, modify.claimantHigh(), modify.claimantLow(), claimantText);
    } else {
      claimant(doc, 0, 0, 0);
    }
  }

  private void place(Step step, int doc, int field, int key) {
    if (cells.ref(doc + field) != key) {
      cells.set(doc + field, key);
      cells.set(doc + Docs.PLACED_AT, step.sequence);
    }
  }

  private int text(int offset, int length) {
    return account.texts.number(modify.buffer(), offset, length);
  }

  private void fill(Step step, int doc, DocDataDecoder data) {
    long value = Hashes.bytes(modify.buffer(), data.valueOffset(), data.valueLength());
    cells.set(doc + Docs.VALUE, Answers.value(data.valueKind(), value));
    cells.set(doc + Docs.MODIFIED_MS, step.nowMs);
    long bytes =
        (long) account.texts.bytes(cells.ref(doc + Docs.KEY)).length
            + account.texts.bytes(cells.ref(doc + Docs.SECONDARY_KEY)).length
            + data.valueLength();
    account.addContentBytes(bytes - cells.get(doc + Docs.CONTENT_BYTES));
    cells.set(doc + Docs.CONTENT_BYTES, bytes);
  }

  private void delete(int doc) {
    claimant(doc, 0, 0, 0);
    account.addContentBytes(-cells.get(doc + Docs.CONTENT_BYTES));
    docs.remove(doc);
  }

  private void claimant(int doc, long high, long low, long text) {
    account.holders.acquire(high, low, text);
    account.holders.release(
        cells.get(doc + Docs.CLAIMANT_HIGH),
        cells.get(doc + Docs.CLAIMANT_LOW),
        cells.get(doc + Docs.CLAIMANT_TEXT));
    cells.set(doc + Docs.CLAIMANT_HIGH, high);
    cells.set(doc + Docs.CLAIMANT_LOW, low);
    cells.set(doc + Docs.CLAIMANT_TEXT, text);
  }

  // Claims.

  /**
   * Applies a claim of docs, or its refusal, and checks the answer.
   *
   * @param text hash of the claimant's text
   * @param isConflict whether another claimant with this key is in use
   */
  void claim(Step step, ClaimDocsDecoder claim, int answer, long text, boolean isConflict) {
    int code = outcome(step, claim, isConflict);
    expectClaim(step, code, answer);
    account.receipts.put(Receipts.CODE, code);
    if (code == ResultCodes.OK) {
      for (int i = 0; i < found.size(); i++) {
        int doc = found.get(i);
        cells.add(doc + Docs.VERSION, 1);
        cells.set(doc + Docs.ARRIVAL_MS, ClaimRules.saturatedSum(step.nowMs, claim.leaseMs()));
        cells.set(doc + Docs.MODIFIED_MS, step.nowMs);
        claimant(doc, claim.claimantHigh(), claim.claimantLow(), text);
        expectDoc(Invariant.DOCS_AS_THEY_STAND, answers.doc(answer, i), doc, true);
        account.receipts.doc(doc);
      }
    } else {
      expectHeld(answer);
      found.forEach(account.receipts::doc);
    }
  }

  /** Checks the answer to a refused claim without a record. */
  void expectRefused(Step step, ClaimDocsDecoder claim, int answer, boolean isConflict) {
    int code = outcome(step, claim, isConflict);
    expectClaim(step, code, answer);
    if (code == ResultCodes.OK) {
      throw Invariant.ANSWERS_EXACT.broken(
          step.name(), "a record of a claim that gets docs", "an answer without one");
    }
    expectHeld(answer);
  }

  private int outcome(Step step, ClaimDocsDecoder claim, boolean isConflict) {
    found.clear();
    if (isConflict) {
      return ResultCodes.KEY_COLLISION;
    }
    findKey(claim);
    if (found.isEmpty()) {
      return ResultCodes.EMPTY;
    }
    List<Integer> held = new ArrayList<>();
    for (int doc : found) {
      if (docs.isHeldByAnother(doc, claim.claimantHigh(), claim.claimantLow(), step.nowMs)) {
        held.add(doc);
      }
    }
    if (held.isEmpty()) {
      return ResultCodes.OK;
    }
    found.clear();
    found.addAll(held);
    return ResultCodes.DEPENDENCY;
  }

  private void findKey(ClaimDocsDecoder claim) {
    int namespace =
        account.texts.number(
            claim.buffer(), claim.set(0).namespaceOffset(), claim.set(0).namespaceLength());
    int key =
        account.texts.number(claim.buffer(), claim.set(0).keyOffset(), claim.set(0).keyLength());
    for (int doc = docs.first(namespace); doc != Cells.NONE; doc = docs.next(doc)) {
      if (cells.get(doc + Docs.KEY) == key) {
        found.add(doc);
      }
    }
    docs.sort(found);
  }

  private void expectClaim(Step step, int code, int answer) {
    CallerRules.expectDecision(account, step, step.sequence, answer);
    long reported = answers.get(answer + Answers.CODE);
    String subject = found.isEmpty() ? step.name() : docs.name(found.get(0));
    if (reported != code) {
      Invariant invariant =
          code == ResultCodes.DEPENDENCY && reported == ResultCodes.OK
              ? Invariant.ONE_HOLDER
              : Invariant.CLAIMS_TAKE_WHOLE_KEYS;
      throw invariant.broken(
          subject, "code " + code + " for " + found.size() + " docs", "code " + reported);
    }
    long reportedDocs = answers.get(answer + Answers.DOCS);
    if (reportedDocs != found.size()) {
      throw Invariant.CLAIMS_TAKE_WHOLE_KEYS.broken(subject, found.size() + " docs", reportedDocs);
    }
    CallerRules.expectNoTasks(account, step.sequence, answer);
  }

  private void expectHeld(int answer) {
    for (int i = 0; i < found.size(); i++) {
      expectDoc(Invariant.DOCS_AS_THEY_STAND, answers.doc(answer, i), found.get(i), false);
    }
  }

  // Comparing reported docs with the account.

  /**
   * A doc must be reported in its current state.
   *
   * @param otherwise what a difference violates; content, keys and versions have their own
   * @param withValue whether the answer includes the content
   */
  void expectDoc(Invariant otherwise, int reported, int doc, boolean withValue) {
    for (int field = Docs.NAME_HIGH; field < Docs.ANSWER_CELLS; field++) {
      long expected = field == Docs.VALUE && !withValue ? 0 : cells.get(doc + field);
      long actual = answers.get(reported + field);
      if (actual != expected) {
        String name = FIELD_NAMES[field];
        throw invariantOf(otherwise, field)
            .broken(docs.name(doc), name + " " + expected, name + " " + actual);
      }
    }
  }

  private static Invariant invariantOf(Invariant otherwise, int field) {
    return switch (field) {
      case Docs.VERSION -> Invariant.DOC_VERSIONS_BY_ONE;
      case Docs.KEY, Docs.SECONDARY_KEY, Docs.VALUE -> Invariant.DOCS_AS_WRITTEN;
      default -> otherwise;
    };
  }

  private static final String[] FIELD_NAMES = {
    "name (high)",
    "name (low)",
    "namespace",
    "id (high)",
    "id (low)",
    "text of the id",
    "version",
    "arrival",
    "claimant (high)",
    "claimant (low)",
    "text of the claimant",
    "key",
    "secondary key",
    "content",
    "created",
    "modified"
  };
}
