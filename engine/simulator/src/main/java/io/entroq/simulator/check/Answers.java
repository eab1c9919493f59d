package io.entroq.simulator.check;

import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.PolicyStateDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.task.TaskView;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.undo.Hashes;
import io.entroq.simulator.undo.NameTable;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The answers of one step. Each check removes the answer that it expects; an answer that is left at
 * the end is a violation.
 */
final class Answers {
  static final int REQUEST = 0;
  static final int CODE = 1;
  static final int SEQUENCE = 2;
  static final int TIME_MS = 3;
  static final int ITEM_KIND = 4;
  static final int ITEM_INDEX = 5;
  static final int QUEUE_TASKS = 6;
  static final int QUEUE_TASKS_MAX = 7;
  static final int INSERTED = 8;
  static final int CHANGED = 9;
  static final int CLAIMED = 10;
  static final int FAILURES = 11;
  static final int DOCS = 12;
  static final int SETS = 13;
  static final int FAILED = 14;
  static final int POLICIES = 15;
  private static final int HEADER_WORDS = 16;

  /** The first cells of {@link Tasks}, with the number of the queue's name as its queue. */
  static final int TASK_WORDS = Tasks.REPORTED_CELLS;

  /** A policy: the first cells of one, then what a limiter has besides. */
  static final int POLICY_WORDS = PolicyTable.REPORTED_CELLS + 2;

  static final int POLICY_IN_FLIGHT = PolicyTable.REPORTED_CELLS;
  static final int POLICY_NEXT_START_MS = PolicyTable.REPORTED_CELLS + 1;

  private final NameTable names;
  private final NameTable texts;
  private final Docs docs;
  private final PolicyTable policies;
  private final long[] rules = new long[PolicyTable.REPORTED_CELLS];
  private long[] words = new long[1024];
  private int size;
  private int[] starts = new int[16];
  private int count;
  private int taken;
  private int first;
  private int lastInOrder;

  Answers(NameTable names, NameTable texts, Docs docs, PolicyTable policies) {
    this.names = names;
    this.texts = texts;
    this.docs = docs;
    this.policies = policies;
    clear();
  }

  void clear() {
    size = 0;
    count = 0;
    taken = 0;
    first = 0;
    lastInOrder = -1;
  }

  long get(int at) {
    return words[at];
  }

  // Recording.

  /** Records an answer and returns its index. */
  int add(long request, ResultDecoder result) {
    int start = size;
    reserve(HEADER_WORDS);
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
    }
    starts[count++] = start;
    words[start + REQUEST] = request;
    words[start + CODE] = result.code();
    words[start + SEQUENCE] = result.sequence();
    words[start + TIME_MS] = result.logTimeMs();
    words[start + ITEM_KIND] = result.itemKind();
    words[start + ITEM_INDEX] = result.itemIndex();
    words[start + QUEUE_TASKS] = result.queueTasks();
    words[start + QUEUE_TASKS_MAX] = result.queueTasksMax();
    words[start + INSERTED] = result.insertedCount();
    words[start + CHANGED] = result.changedCount();
    words[start + CLAIMED] = result.claimedCount();
    words[start + FAILURES] = result.failureCount();
    words[start + DOCS] = result.docCount();
    words[start + SETS] = result.setCount();
    words[start + FAILED] = result.failedCount();
    words[start + POLICIES] = result.policyCount();
    size += HEADER_WORDS;
    addItems(result);
    return start;
  }

  private void addItems(ResultDecoder result) {
    for (int i = 0; i < result.insertedCount(); i++) {
      addTask(result, result.inserted(i));
    }
    for (int i = 0; i < result.changedCount(); i++) {
      addTask(result, result.changed(i));
    }
    for (int i = 0; i < result.failedCount(); i++) {
      addTask(result, result.failed(i));
    }
    for (int i = 0; i < result.claimedCount(); i++) {
      addTask(result, result.claimed(i));
    }
    for (int i = 0; i < result.failureCount(); i++) {
      addFailure(result, result.failure(i));
    }
    for (int i = 0; i < result.docCount(); i++) {
      addDoc(result.buffer(), result.doc(i));
    }
    for (int i = 0; i < result.setCount(); i++) {
      addDoc(result.buffer(), result.set(i));
    }
    for (int i = 0; i < result.policyCount(); i++) {
      addPolicy(result.buffer(), result.policy(i));
    }
  }

  private void addTask(ResultDecoder result, TaskDecoder task) {
    reserve(TASK_WORDS);
    var buffer = result.buffer();
    int at = size;
    words[at + Tasks.HIGH] = task.idHigh();
    words[at + Tasks.LOW] = task.idLow();
    words[at + Tasks.ID_TEXT] = Hashes.bytes(buffer, task.idTextOffset(), task.idTextLength());
    words[at + Tasks.VERSION] = task.version();
    words[at + Tasks.QUEUE] =
        task.queueLength() == 0 ? 0 : names.number(buffer, task.queueOffset(), task.queueLength());
    words[at + Tasks.ARRIVAL_MS] = task.arrivalMs();
    words[at + Tasks.CLAIMANT_HIGH] = task.claimantHigh();
    words[at + Tasks.CLAIMANT_LOW] = task.claimantLow();
    words[at + Tasks.CLAIMANT_TEXT] =
        Hashes.bytes(buffer, task.claimantTextOffset(), task.claimantTextLength());
    words[at + Tasks.CLAIMS] = task.claims();
    words[at + Tasks.ATTEMPT] = task.attempt();
    words[at + Tasks.VALUE] =
        value(task.valueKind(), Hashes.bytes(buffer, task.valueOffset(), task.valueLength()));
    words[at + Tasks.ERR] = Hashes.bytes(buffer, task.errOffset(), task.errLength());
    words[at + Tasks.CREATED_MS] = task.createdMs();
    words[at + Tasks.MODIFIED_MS] = task.modifiedMs();
    words[at + Tasks.CONTENT_BYTES] = (long) task.valueLength() + task.errLength();
    words[at + Tasks.HOLD] = task.inFlight() ? 1 : 0;
    words[at + Tasks.LAPSES] = task.lapses();
    words[at + Tasks.EXPIRES_MS] = task.expiresMs();
    words[at + Tasks.TRACE] = Hashes.bytes(buffer, task.traceOffset(), task.traceLength());
    words[at + Tasks.ORIGIN] = Hashes.bytes(buffer, task.originOffset(), task.originLength());
    words[at + Tasks.REASON] = task.reason();
    words[at + Tasks.DEAD_AT_MS] = task.deadAtMs();
    size += TASK_WORDS;
  }

  private void addPolicy(DirectBuffer buffer, PolicyStateDecoder state) {
    reserve(POLICY_WORDS);
    policies.read(state.policy(), buffer, rules);
    System.arraycopy(rules, 0, words, size, rules.length);
    words[size + PolicyTable.HAS_RULES] = state.hasRules() ? 1 : 0;
    words[size + PolicyTable.VERSION] = state.version();
    words[size + PolicyTable.PAUSED_UNTIL_MS] = state.pausedUntilMs();
    words[size + POLICY_IN_FLIGHT] = state.inFlight();
    words[size + POLICY_NEXT_START_MS] = state.nextStartMs();
    size += POLICY_WORDS;
  }

  /** Records a listed task in place of everything else, and returns its index. */
  int addListed(TaskView task) {
    clear();
    reserve(TASK_WORDS);
    words[Tasks.HIGH] = task.idHigh();
    words[Tasks.LOW] = task.idLow();
    words[Tasks.ID_TEXT] =
        Hashes.bytes(task.idTextBuffer(), task.idTextOffset(), task.idTextLength());
    words[Tasks.VERSION] = task.version();
    words[Tasks.QUEUE] = names.number(task.queueBuffer(), task.queueOffset(), task.queueLength());
    words[Tasks.ARRIVAL_MS] = task.arrivalMs();
    words[Tasks.CLAIMANT_HIGH] = task.claimantHigh();
    words[Tasks.CLAIMANT_LOW] = task.claimantLow();
    words[Tasks.CLAIMANT_TEXT] =
        Hashes.bytes(
            task.claimantTextBuffer(), task.claimantTextOffset(), task.claimantTextLength());
    words[Tasks.CLAIMS] = task.claims();
    words[Tasks.ATTEMPT] = task.attempt();
    words[Tasks.VALUE] =
        value(
            task.valueKind(),
            Hashes.bytes(task.valueBuffer(), task.valueOffset(), task.valueLength()));
    words[Tasks.ERR] = Hashes.bytes(task.errBuffer(), task.errOffset(), task.errLength());
    words[Tasks.CREATED_MS] = task.createdMs();
    words[Tasks.MODIFIED_MS] = task.modifiedMs();
    words[Tasks.CONTENT_BYTES] = (long) task.valueLength() + task.errLength();
    words[Tasks.HOLD] = task.isInFlight() ? 1 : 0;
    words[Tasks.LAPSES] = task.lapses();
    words[Tasks.EXPIRES_MS] = task.expiresMs();
    words[Tasks.TRACE] = Hashes.bytes(task.traceBuffer(), task.traceOffset(), task.traceLength());
    words[Tasks.ORIGIN] =
        Hashes.bytes(task.originBuffer(), task.originOffset(), task.originLength());
    words[Tasks.REASON] = task.reason();
    words[Tasks.DEAD_AT_MS] = task.deadAtMs();
    return 0;
  }

  /** Records a listed policy in place of everything else, and returns its index. */
  int addListed(ResultDecoder result, int index) {
    clear();
    addPolicy(result.buffer(), result.policy(index));
    return 0;
  }

  /** Records a listed doc in place of everything else, and returns its index. */
  int addListed(DirectBuffer buffer, DocDecoder doc) {
    clear();
    addDoc(buffer, doc);
    return 0;
  }

  /** A doc, or a set, which has no id. */
  private void addDoc(DirectBuffer buffer, DocDecoder doc) {
    reserve(Docs.ANSWER_CELLS);
    int at = size;
    int namespace = texts.number(buffer, doc.namespaceOffset(), doc.namespaceLength());
    int key = texts.number(buffer, doc.keyOffset(), doc.keyLength());
    boolean isSet = (doc.idHigh() | doc.idLow()) == 0;
    words[at + Docs.NAME_HIGH] = isSet ? namespace : docs.nameHigh(namespace, doc.idHigh());
    words[at + Docs.NAME_LOW] = isSet ? key : docs.nameLow(namespace, doc.idLow());
    words[at + Docs.NAMESPACE] = namespace;
    words[at + Docs.HIGH] = doc.idHigh();
    words[at + Docs.LOW] = doc.idLow();
    words[at + Docs.ID_TEXT] = Hashes.bytes(buffer, doc.idTextOffset(), doc.idTextLength());
    words[at + Docs.VERSION] = doc.version();
    words[at + Docs.ARRIVAL_MS] = doc.arrivalMs();
    words[at + Docs.CLAIMANT_HIGH] = doc.claimantHigh();
    words[at + Docs.CLAIMANT_LOW] = doc.claimantLow();
    words[at + Docs.CLAIMANT_TEXT] =
        Hashes.bytes(buffer, doc.claimantTextOffset(), doc.claimantTextLength());
    words[at + Docs.COUNT] = doc.docs();
    words[at + Docs.KEY] = key;
    words[at + Docs.SECONDARY_KEY] =
        isSet && doc.secondaryKeyLength() == 0
            ? 0
            : texts.number(buffer, doc.secondaryKeyOffset(), doc.secondaryKeyLength());
    words[at + Docs.VALUE] =
        value(doc.valueKind(), Hashes.bytes(buffer, doc.valueOffset(), doc.valueLength()));
    words[at + Docs.CREATED_MS] = doc.createdMs();
    words[at + Docs.MODIFIED_MS] = doc.modifiedMs();
    size += Docs.ANSWER_CELLS;
  }

  /** Kind and hash in one word. An absent value differs from an empty one. */
  static long value(int kind, long hash) {
    return kind == 0 ? 0 : SeededRandom.mix(hash + kind);
  }

  private void addFailure(ResultDecoder result, FailureDecoder failure) {
    reserve(Receipts.FAILURE_CELLS);
    words[size + Receipts.KIND] = failure.itemKind();
    words[size + Receipts.INDEX] = failure.index();
    words[size + Receipts.IS_CLAIMED] = failure.claimed() ? 1 : 0;
    words[size + Receipts.EXISTING_VERSION] = failure.existingVersion();
    words[size + Receipts.EXISTING_NAME] =
        Hashes.bytes(result.buffer(), failure.existingNameOffset(), failure.existingNameLength());
    words[size + Receipts.EXISTING_HIGH] = failure.existingIdHigh();
    words[size + Receipts.EXISTING_LOW] = failure.existingIdLow();
    words[size + Receipts.EXISTING_TEXT] =
        Hashes.bytes(
            result.buffer(), failure.existingIdTextOffset(), failure.existingIdTextLength());
    size += Receipts.FAILURE_CELLS;
  }

  private void reserve(int more) {
    while (size + more > words.length) {
      words = Arrays.copyOf(words, words.length * 2);
    }
  }

  // Removing.

  /** Removes the answer to a request; -1 if there is none. */
  int take(long request) {
    int place = find(request);
    if (place < 0) {
      return -1;
    }
    int start = starts[place];
    starts[place] = -1;
    taken++;
    while (first < count && starts[first] < 0) {
      first++;
    }
    return start;
  }

  private int find(long request) {
    for (int i = first; i < count; i++) {
      if (starts[i] >= 0 && words[starts[i]] == request) {
        return i;
      }
    }
    return -1;
  }

  boolean has(long request) {
    return find(request) >= 0;
  }

  /** The index of an answer that exists; it stays. */
  int at(long request) {
    return starts[find(request)];
  }

  /** Whether a request has an answer that comes after all those asked for so far. */
  boolean isInOrder(long request) {
    int place = find(request);
    boolean isBehind = place > lastInOrder;
    lastInOrder = Math.max(lastInOrder, place);
    return isBehind;
  }

  boolean isEmpty() {
    return taken == count;
  }

  /** The request of the first remaining answer; there must be one. */
  long firstRemaining() {
    return words[starts[first]];
  }

  int inserted(int answer, int index) {
    return answer + HEADER_WORDS + index * TASK_WORDS;
  }

  int changed(int answer, int index) {
    return inserted(answer, (int) words[answer + INSERTED] + index);
  }

  int failed(int answer, int index) {
    return changed(answer, (int) words[answer + CHANGED] + index);
  }

  int claimed(int answer, int index) {
    return failed(answer, (int) words[answer + FAILED] + index);
  }

  int failure(int answer, int index) {
    return claimed(answer, (int) words[answer + CLAIMED]) + index * Receipts.FAILURE_CELLS;
  }

  int doc(int answer, int index) {
    return failure(answer, (int) words[answer + FAILURES]) + index * Docs.ANSWER_CELLS;
  }

  int set(int answer, int index) {
    return doc(answer, (int) words[answer + DOCS] + index);
  }

  int policy(int answer, int index) {
    return set(answer, (int) words[answer + SETS]) + index * POLICY_WORDS;
  }

  /**
   * The request of the first remaining answer that serves a claim; -1 if there is none, or another
   * answer comes before it.
   *
   * @param except a request whose answer does not count; -1: none
   */
  long nextServed(long except) {
    for (int i = first; i < count; i++) {
      if (starts[i] >= 0 && words[starts[i]] != except) {
        boolean isServed =
            words[starts[i] + CODE] == ResultCodes.OK && words[starts[i] + CLAIMED] > 0;
        return isServed ? words[starts[i]] : -1;
      }
    }
    return -1;
  }
}
