package io.entroq.simulator.check;

import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.DocSetDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.check.Docs.Sets;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.collections.LongHashSet;

/** What modifies and claims do to docs and doc sets, and why claims are refused. */
final class DocRules {
  private final Account account;
  private final Cells cells;
  private final Docs docs;
  private final Answers answers;

  /** The sets that a modify writes to, with the latest arrival time of its items in each. */
  private final Map<Integer, Long> touched = new LinkedHashMap<>();

  /** The sets that a modify stores. */
  private final Set<Integer> stored = new HashSet<>();

  /** The docs and sets of an answer, in order. */
  private final List<Integer> shownDocs = new ArrayList<>();

  private final List<Integer> shownSets = new ArrayList<>();

  private ModifyDecoder modify;
  private long claimantText;

  DocRules(Account account) {
    this.account = account;
    this.cells = account.cells;
    this.docs = account.docs;
    this.answers = account.answers;
  }

  // Modifies.

  /** The name of the doc or set in a failed item. */
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
    return (item.idHigh() | item.idLow()) == 0
        ? docs.setName(
            namespace, account.texts.number(of.buffer(), item.keyOffset(), item.keyLength()))
        : docs.name(namespace, item.idHigh(), item.idLow());
  }

  /** Applies a modify whose checks have all passed. */
  void commit(Step step, ModifyDecoder of, DocCheck check, int answer, long text) {
    modify = of;
    claimantText = text;
    touched.clear();
    stored.clear();
    shownDocs.clear();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      shownDocs.add(insert(step, modify.docInsert(i)));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      change(step, check.changed(i), modify.docChange(i));
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      delete(step, check.deleted(i));
    }
    touched.forEach((set, arrivalMs) -> write(step, set, arrivalMs));
    for (int i = 0; i < shownDocs.size(); i++) {
      expectWritten(shownDocs.get(i), answers.doc(answer, i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      int reported = answers.doc(answer, modify.docInsertCount() + i);
      if (isLease(modify.docChange(i))) {
        expectSet(Invariant.DOCS_AS_THEY_STAND, reported, check.changed(i));
        account.receipts.set(Receipts.DOCS, check.changed(i));
      } else {
        expectWritten(check.changed(i), reported);
      }
    }
    touched.keySet().forEach(docs::written);
    forgetUnused(step, touched.size());
  }

  /**
   * For each write, looks at the two sets without docs that were written longest ago, as long as
   * there are too many. Those that nobody holds are forgotten.
   */
  private void forgetUnused(Step step, int writes) {
    for (int i = 0; i < 2 * writes && docs.firstToForget() != Cells.NONE; i++) {
      int set = docs.firstToForget();
      if (docs.isHeld(set, step.nowMs)) {
        docs.written(set);
      } else {
        account.rules.count(Rule.SET_FORGOTTEN);
        claimant(set, 0, 0, 0);
        docs.removeSet(set);
      }
    }
  }

  private static boolean isLease(DocDataDecoder change) {
    return change.mode() == ChangeModes.LEASE;
  }

  /** The answer shows a written doc without its content, which the caller has sent. */
  private void expectWritten(int doc, int reported) {
    expectDoc(Invariant.DOCS_AS_THEY_STAND, reported, doc, false);
    account.receipts.doc(doc);
  }

  private int insert(Step step, DocDataDecoder insert) {
    int namespace = text(insert.namespaceOffset(), insert.namespaceLength());
    int key = text(insert.keyOffset(), insert.keyLength());
    int set = docs.findSet(namespace, key);
    if (set == Cells.NONE) {
      account.rules.count(Rule.SET_BEGINS_AT_ZERO);
      set = docs.addSet(namespace, key, step.sequence);
      stored.add(set);
    } else if (!touched.containsKey(set)) {
      account.rules.count(Rule.INSERT_NEEDS_NO_VERSION);
      account.rules.countIf(cells.get(set + Sets.COUNT) == 0, Rule.SET_GOES_ON);
    }
    touch(step, set, insert);
    int doc = docs.add(set, insert.idHigh(), insert.idLow());
    cells.set(
        doc + Docs.ID_TEXT,
        Hashes.bytes(modify.buffer(), insert.idTextOffset(), insert.idTextLength()));
    cells.set(doc + Docs.CREATED_MS, step.nowMs);
    cells.set(doc + Docs.INSERTED_AT, step.sequence);
    cells.set(
        doc + Docs.SECONDARY_KEY, text(insert.secondaryKeyOffset(), insert.secondaryKeyLength()));
    fill(step, doc, insert);
    return doc;
  }

  /** A doc keeps its keys; a lease change writes to no doc. */
  private void change(Step step, int docOrSet, DocDataDecoder change) {
    if (isLease(change)) {
      account.rules.count(Rule.SET_LEASE);
      account.rules.countIf(cells.get(docOrSet + Sets.COUNT) == 0, Rule.SET_LEASE_WITHOUT_DOCS);
      touch(step, docOrSet, change);
    } else {
      touch(step, docs.setOf(docOrSet), change);
      fill(step, docOrSet, change);
    }
  }

  /** Notes that an item writes to a set, and until when it holds it. */
  private void touch(Step step, int set, DocDataDecoder item) {
    long arrivalMs = account.arrivalMs(item.byMs(), item.arrivalMs(), step.nowMs);
    touch(set, arrivalMs);
  }

  private void touch(int set, long arrivalMs) {
    Long before = touched.put(set, arrivalMs);
    if (before != null) {
      account.rules.count(Rule.SET_MOVES_ONCE);
      account.rules.countIf(before != arrivalMs, Rule.COMMIT_HOLDS_UNTIL_LATEST);
      touched.put(set, Math.max(before, arrivalMs));
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

  /** A delete writes to the set but never holds it. */
  private void delete(Step step, int doc) {
    int set = docs.setOf(doc);
    touch(set, step.nowMs);
    account.addContentBytes(-cells.get(doc + Docs.CONTENT_BYTES));
    docs.remove(doc);
    account.rules.countIf(cells.get(set + Sets.COUNT) == 0, Rule.SET_OUTLIVES_DOCS);
  }

  /** The whole modify moves a set by one version; a set that it stores begins at 0. */
  private void write(Step step, int set, long arrivalMs) {
    if (!stored.contains(set)) {
      cells.add(set + Sets.VERSION, 1);
    }
    boolean isHeld = arrivalMs > step.nowMs;
    account.rules.count(isHeld ? Rule.COMMIT_HOLDS_SET : Rule.COMMIT_RELEASES_SET);
    hold(step, set, arrivalMs, modify.claimantHigh(), modify.claimantLow(), claimantText);
  }

  /** The claimant names the holder. */
  private void hold(Step step, int set, long arrivalMs, long high, long low, long text) {
    boolean isHeld = arrivalMs > step.nowMs;
    cells.set(set + Sets.MODIFIED_MS, step.nowMs);
    cells.set(set + Sets.ARRIVAL_MS, isHeld ? arrivalMs : step.nowMs);
    claimant(set, isHeld ? high : 0, isHeld ? low : 0, isHeld ? text : 0);
  }

  private void claimant(int set, long high, long low, long text) {
    account.holders.acquire(high, low, text);
    account.holders.release(
        cells.get(set + Sets.CLAIMANT_HIGH),
        cells.get(set + Sets.CLAIMANT_LOW),
        cells.get(set + Sets.CLAIMANT_TEXT));
    cells.set(set + Sets.CLAIMANT_HIGH, high);
    cells.set(set + Sets.CLAIMANT_LOW, low);
    cells.set(set + Sets.CLAIMANT_TEXT, text);
  }

  // Claims.

  /**
   * Applies a claim of sets, or its refusal, and checks the answer.
   *
   * @param text hash of the claimant's text
   * @param isConflict whether another claimant with this key is in use
   */
  void claim(Step step, ClaimDocsDecoder claim, int answer, long text, boolean isConflict) {
    Outcome outcome = outcome(step, claim, isConflict);
    if (outcome.code == ResultCodes.OK) {
      take(step, claim, outcome.arrivalMs, text);
    }
    expectClaim(step, outcome, answer);
    account.receipts.put(Receipts.CODE, outcome.code);
    shownDocs.forEach(account.receipts::doc);
    shownSets.forEach(set -> account.receipts.set(Receipts.SETS, set));
    if (outcome.isTaskMissing) {
      account.receipts.failure(ItemKinds.TASK, 0, false, 0, 0);
    }
    if (outcome.code == ResultCodes.OK) {
      shownSets.forEach(docs::written);
      forgetUnused(step, shownSets.size());
    }
  }

  /** Checks the answer to a refused claim without a record. */
  void expectRefused(Step step, ClaimDocsDecoder claim, int answer, boolean isConflict) {
    Outcome outcome = outcome(step, claim, isConflict);
    if (outcome.code == ResultCodes.OK) {
      throw Invariant.ANSWERS_EXACT.broken(
          step.name(), "a record of a claim that gets sets", "an answer without one");
    }
    expectClaim(step, outcome, answer);
  }

  /**
   * How a claim ends.
   *
   * @param arrivalMs until when the sets are held
   * @param isTaskMissing whether it names a task that cannot be matched
   */
  private record Outcome(int code, long arrivalMs, boolean isTaskMissing) {}

  /** Decides about a claim; if it is refused, finds the sets that others hold. */
  private Outcome outcome(Step step, ClaimDocsDecoder claim, boolean isConflict) {
    shownDocs.clear();
    shownSets.clear();
    if (isConflict) {
      return new Outcome(ResultCodes.KEY_COLLISION, 0, false);
    }
    if (namesSetTwice(claim)) {
      account.rules.count(Rule.SAME_SET_CLAIMED_TWICE);
      return new Outcome(ResultCodes.DUPLICATE_ITEM, 0, false);
    }
    long arrivalMs = ClaimRules.saturatedSum(step.nowMs, claim.leaseMs());
    boolean isTaskMissing = false;
    if (claim.hasTask()) {
      int task = matchedTask(claim);
      arrivalMs = task == Cells.NONE ? 0 : cells.get(task + Tasks.ARRIVAL_MS);
      isTaskMissing = task == Cells.NONE || arrivalMs <= step.nowMs;
      account.rules.countIf(task == Cells.NONE, Rule.CLAIM_WITH_MISSING_TASK);
      account.rules.countIf(task != Cells.NONE && isTaskMissing, Rule.CLAIM_WITH_EXPIRED_TASK);
    }
    for (int i = 0; i < claim.setCount(); i++) {
      int set = set(claim, i);
      if (set != Cells.NONE
          && docs.isHeldByAnother(set, claim.claimantHigh(), claim.claimantLow(), step.nowMs)) {
        shownSets.add(set);
        showMembers(set);
      }
    }
    boolean isRefused = isTaskMissing || !shownSets.isEmpty();
    account.rules.countIf(isRefused && claim.setCount() > 1, Rule.CLAIM_OF_SEVERAL_REFUSED);
    int code = isRefused ? ResultCodes.DEPENDENCY : ResultCodes.OK;
    return new Outcome(code, arrivalMs, isTaskMissing);
  }

  private boolean namesSetTwice(ClaimDocsDecoder claim) {
    LongHashSet named = new LongHashSet();
    boolean isTwice = false;
    for (int i = 0; i < claim.setCount(); i++) {
      DocSetDecoder set = claim.set(i);
      isTwice |= !named.add((long) namespace(claim, set) << Integer.SIZE | key(claim, set));
    }
    return isTwice;
  }

  private int set(ClaimDocsDecoder claim, int index) {
    DocSetDecoder set = claim.set(index);
    return docs.findSet(namespace(claim, set), key(claim, set));
  }

  private int namespace(ClaimDocsDecoder claim, DocSetDecoder set) {
    return account.texts.number(claim.buffer(), set.namespaceOffset(), set.namespaceLength());
  }

  private int key(ClaimDocsDecoder claim, DocSetDecoder set) {
    return account.texts.number(claim.buffer(), set.keyOffset(), set.keyLength());
  }

  /** The task that the claim names by id, version and queue, or {@link Cells#NONE}. */
  private int matchedTask(ClaimDocsDecoder claim) {
    int task = account.tasks.find(claim.taskIdHigh(), claim.taskIdLow());
    if (task == Cells.NONE) {
      return Cells.NONE;
    }
    long text = Hashes.bytes(claim.buffer(), claim.taskIdTextOffset(), claim.taskIdTextLength());
    long queue = Hashes.bytes(claim.buffer(), claim.taskQueueOffset(), claim.taskQueueLength());
    boolean isMatched =
        cells.get(task + Tasks.ID_TEXT) == text
            && cells.get(task + Tasks.VERSION) == claim.taskVersion()
            && account.names.hash(cells.ref(cells.ref(task + Tasks.QUEUE) + Queues.NAME)) == queue;
    return isMatched ? task : Cells.NONE;
  }

  private void showMembers(int set) {
    List<Integer> members = new ArrayList<>();
    for (int doc = docs.first(set); doc != Cells.NONE; doc = docs.next(doc)) {
      members.add(doc);
    }
    docs.sort(members);
    shownDocs.addAll(members);
  }

  private void take(Step step, ClaimDocsDecoder claim, long arrivalMs, long text) {
    account.rules.countIf(claim.setCount() > 1, Rule.CLAIM_OF_SEVERAL_SETS);
    account.rules.countIf(claim.hasTask(), Rule.CLAIM_WITH_TASK);
    for (int i = 0; i < claim.setCount(); i++) {
      DocSetDecoder named = claim.set(i);
      boolean omitsMembers = named.omitsMembers();
      int set = set(claim, i);
      if (set == Cells.NONE) {
        account.rules.count(Rule.CLAIM_OF_UNSTORED_SET);
        set = docs.addSet(namespace(claim, named), key(claim, named), step.sequence);
      } else {
        countState(step, set);
      }
      cells.add(set + Sets.VERSION, 1);
      hold(step, set, arrivalMs, claim.claimantHigh(), claim.claimantLow(), text);
      shownSets.add(set);
      account.rules.countIf(omitsMembers, Rule.CLAIM_OMITS_MEMBERS);
      if (!omitsMembers) {
        showMembers(set);
      }
    }
  }

  private void countState(Step step, int set) {
    boolean hasClaimant =
        (cells.get(set + Sets.CLAIMANT_HIGH) | cells.get(set + Sets.CLAIMANT_LOW)) != 0;
    boolean isHeld = docs.isHeld(set, step.nowMs);
    account.rules.countIf(isHeld, Rule.CLAIM_AGAIN);
    account.rules.countIf(hasClaimant && !isHeld, Rule.CLAIM_OF_EXPIRED_SET);
    account.rules.countIf(cells.get(set + Sets.COUNT) == 0, Rule.CLAIM_OF_EMPTY_SET);
  }

  private void expectClaim(Step step, Outcome outcome, int answer) {
    CallerRules.expectDecision(account, step, step.sequence, answer);
    long reported = answers.get(answer + Answers.CODE);
    String subject = shownSets.isEmpty() ? step.name() : docs.setName(shownSets.get(0));
    if (reported != outcome.code) {
      Invariant invariant =
          outcome.code == ResultCodes.DEPENDENCY && reported == ResultCodes.OK
              ? Invariant.ONE_HOLDER
              : Invariant.CLAIMS_TAKE_WHOLE_SETS;
      throw invariant.broken(
          subject,
          "code " + outcome.code + " for " + shownSets.size() + " sets",
          "code " + reported);
    }
    requireCount(subject, "docs", shownDocs.size(), answers.get(answer + Answers.DOCS));
    requireCount(subject, "sets", shownSets.size(), answers.get(answer + Answers.SETS));
    CallerRules.expectNoTasks(account, step.sequence, answer);
    requireFailure(step, outcome, answer);
    boolean withValues = outcome.code == ResultCodes.OK;
    for (int i = 0; i < shownDocs.size(); i++) {
      expectDoc(Invariant.DOCS_AS_THEY_STAND, answers.doc(answer, i), shownDocs.get(i), withValues);
    }
    for (int i = 0; i < shownSets.size(); i++) {
      expectSet(Invariant.DOCS_AS_THEY_STAND, answers.set(answer, i), shownSets.get(i));
    }
  }

  private static void requireCount(String subject, String what, long expected, long reported) {
    if (reported != expected) {
      throw Invariant.CLAIMS_TAKE_WHOLE_SETS.broken(
          subject, expected + " " + what, reported + " " + what);
    }
  }

  /** The only item of a claim that can fail is its task. */
  private void requireFailure(Step step, Outcome outcome, int answer) {
    long count = answers.get(answer + Answers.FAILURES);
    boolean isNamed =
        count == 1
            && answers.get(answers.failure(answer, 0) + Receipts.KIND) == ItemKinds.TASK
            && answers.get(answers.failure(answer, 0) + Receipts.IS_CLAIMED) == 0;
    if (outcome.isTaskMissing ? !isNamed : count != 0) {
      throw Invariant.DEPENDENCIES_EXACT.broken(
          step.name(), outcome.isTaskMissing ? "the task" : "no failed item", count + " items");
    }
  }

  // Comparing reported docs and sets with the account.

  /**
   * A doc must be reported in its current state.
   *
   * @param otherwise what a difference violates; content, keys and versions have their own
   * @param withValue whether the answer includes the content
   */
  void expectDoc(Invariant otherwise, int reported, int doc, boolean withValue) {
    for (int field = Docs.NAME_HIGH; field < Docs.ANSWER_CELLS; field++) {
      long expected = field == Docs.VALUE && !withValue ? 0 : docs.shown(doc, field);
      expectField(otherwise, field, expected, reported, docs.name(doc));
    }
  }

  /** A set must be reported in its current state. */
  void expectSet(Invariant otherwise, int reported, int set) {
    for (int field = Docs.NAME_HIGH; field < Docs.ANSWER_CELLS; field++) {
      expectField(otherwise, field, docs.shownOfSet(set, field), reported, docs.setName(set));
    }
  }

  private void expectField(
      Invariant otherwise, int field, long expected, int reported, String subject) {
    long actual = answers.get(reported + field);
    if (actual != expected) {
      String name = FIELD_NAMES[field];
      throw invariantOf(otherwise, field)
          .broken(subject, name + " " + expected, name + " " + actual);
    }
  }

  private static Invariant invariantOf(Invariant otherwise, int field) {
    return switch (field) {
      case Docs.VERSION -> Invariant.SET_VERSIONS_BY_ONE;
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
    "key",
    "secondary key",
    "content",
    "created",
    "modified",
    "version",
    "arrival",
    "claimant (high)",
    "claimant (low)",
    "text of the claimant",
    "number of docs"
  };
}
