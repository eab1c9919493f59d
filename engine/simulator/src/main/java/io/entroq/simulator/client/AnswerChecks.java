package io.entroq.simulator.client;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.virtual.SeededRandom;

/** Checks answers by a client's own requests and earlier answers. */
final class AnswerChecks {
  private final ClientContext context;

  AnswerChecks(ClientContext context) {
    this.context = context;
  }

  /** The hash of no tasks. */
  static final long NO_TASKS = 1;

  /** Adds a written task or doc to a hash. */
  static long addWritten(long hash, long idHigh, long idLow, int version) {
    return SeededRandom.mix(hash ^ idHigh) * 31 + idLow + version;
  }

  /** Checks the claimed tasks of an answer, and records them to compare all clients. */
  KnownTask[] claimed(Call call, ResultDecoder result) {
    int count = result.claimedCount();
    check(count <= call.limit, Invariant.ANSWERS_EXACT, call, call.limit, count);
    KnownTask[] tasks = new KnownTask[count];
    for (int i = 0; i < count; i++) {
      TaskDecoder task = result.claimed(i);
      KnownTask known = read(task, result);
      requireFit(call, task, known);
      if (!context.isQuiet()) {
        context.sightings.claimed(known, task.modifiedMs(), call.serial, call.code == 0);
      }
      tasks[i] = known;
    }
    return tasks;
  }

  private KnownTask read(TaskDecoder task, ResultDecoder result) {
    KnownTask known = new KnownTask();
    known.idHigh = task.idHigh();
    known.idLow = task.idLow();
    int textLength = TaskIds.textLength(known.idHigh);
    check(
        task.idTextLength() == textLength,
        Invariant.VALUE_INTACT,
        known,
        textLength,
        task.idTextLength());
    known.version = task.version();
    known.claims = task.claims();
    known.arrivalMs = task.arrivalMs();
    known.attempt = task.attempt();
    known.errLength = task.errLength();
    known.queue = context.queues.number(result.buffer(), task.queueOffset(), task.queueLength());
    context.values.read(task, result.buffer(), known);
    return known;
  }

  private static void requireFit(Call call, TaskDecoder task, KnownTask known) {
    Caller caller = call.caller;
    boolean isOwn = task.claimantHigh() == caller.high() && task.claimantLow() == caller.low();
    check(isOwn, Invariant.ANSWERS_EXACT, known, "the claimant of the request", "another");
    boolean isRequested = (call.queues & Call.queueBit(known.queue)) != 0;
    check(isRequested, Invariant.ANSWERS_EXACT, known, "a queue that was asked", "another");
    long lease = task.arrivalMs() - task.modifiedMs();
    check(lease == call.leaseMs, Invariant.ANSWERS_EXACT, known, call.leaseMs, lease);
    boolean isCounted = known.version > known.writtenVersion && known.version >= known.claims;
    check(isCounted && known.claims > 0, Invariant.VERSIONS_BY_ONE, known, "more", known.claims);
    boolean hasArrived = task.modifiedMs() >= known.writtenArrivalMs;
    check(
        hasArrived, Invariant.NOT_BEFORE_ARRIVAL, known, known.writtenArrivalMs, task.modifiedMs());
  }

  void first(Call call, ResultDecoder result) {
    int code = result.code();
    check(isAllowed(call, code), Invariant.ANSWERS_EXACT, call, call.allowed, code);
    boolean isClaim = call.request.type() == RecordType.CLAIM;
    if (code == ResultCodes.OK && call.request.type() == RecordType.MODIFY) {
      requireWritten(call, result);
      if (call.docs != null) {
        context.docChecks.written(call, result);
      }
    } else {
      int tasks = result.insertedCount() + result.changedCount();
      check(tasks == 0, Invariant.ANSWERS_EXACT, call, "nothing written", tasks);
    }
    boolean mayHaveTasks = code == ResultCodes.OK;
    boolean hasTasks = result.claimedCount() > 0;
    check(mayHaveTasks || !hasTasks, Invariant.ANSWERS_EXACT, call, "no tasks", code);
    check(!isClaim || hasTasks == mayHaveTasks, Invariant.ANSWERS_EXACT, call, "tasks if OK", code);
    if (code == ResultCodes.DEPENDENCY && call.request.type() == RecordType.MODIFY) {
      requireFailures(call, result);
      if (call.docs != null) {
        context.docChecks.refused(call, result);
      }
    }
    if (code == ResultCodes.TIMED_OUT) {
      boolean isDue = result.logTimeMs() >= call.deadlineMs;
      check(isDue, Invariant.WAITS_END, call, call.deadlineMs, result.logTimeMs());
    }
    call.code = code;
    call.sequence = result.sequence();
    call.reportedHash = reportedHash(result);
    call.claimed = claimedHash(result);
  }

  private static void requireWritten(Call call, ResultDecoder result) {
    if (call.inserted == null) {
      long written = written(result);
      check(written == call.written, Invariant.ANSWERS_EXACT, call, call.written, written);
      return;
    }
    int shown = 0;
    for (KnownTask task : call.inserted) {
      int count = TaskIds.countInserted(result, shown, task);
      check(count > 0, Invariant.EACH_GROUP_ONCE, task, "the task or copies", "none");
      shown += count;
    }
    check(
        shown == result.insertedCount(),
        Invariant.EACH_GROUP_ONCE,
        call,
        shown,
        result.insertedCount());
  }

  private boolean isAllowed(Call call, int code) {
    if (call.allows(code)) {
      return true;
    }
    return switch (code) {
      case ResultCodes.CANCELLED ->
          call.request.type() == RecordType.CLAIM
              && (call.isCancelled || context.mayBeGivenBack(call.firstSentNs));
      case ResultCodes.OUTCOME_UNKNOWN -> call.caller.mayBeForgotten();
      default -> context.isQuiet();
    };
  }

  private static void requireFailures(Call call, ResultDecoder result) {
    int failures = result.failureCount();
    check(failures > 0, Invariant.DEPENDENCIES_EXACT, call, "a failure", "none");
    for (int i = 0; i < failures; i++) {
      FailureDecoder failure = result.failure(i);
      int index = failure.index();
      boolean isThere =
          switch (failure.itemKind()) {
            case ItemKinds.INSERT ->
                index < call.inserts
                    && (failure.existingNameLength() > 0 || isOnlyRemembered(call));
            case ItemKinds.CHANGE -> index < call.changes;
            case ItemKinds.DELETE -> index < call.deletes;
            case ItemKinds.DEPEND -> true;
            case ItemKinds.FAIL -> index < call.fails;
            case ItemKinds.POLICY_PUT, ItemKinds.POLICY_DELETE, ItemKinds.PAUSE ->
                index < call.policies;
            default -> index < call.docs.items(failure.itemKind()).size();
          };
      check(isThere, Invariant.DEPENDENCIES_EXACT, call, "an item of the request", index);
    }
  }

  /** Whether the id of a task that was inserted again may stay taken although its task is gone. */
  private static boolean isOnlyRemembered(Call call) {
    return call.inserted != null;
  }

  void repeated(Call call, ResultDecoder result) {
    if (call.number == 0 || context.isQuiet()) {
      return;
    }
    int code = result.code();
    if (isPassedOver(call, code)) {
      return;
    }
    check(code == call.code, Invariant.FIRST_ANSWER, call, call.code, code);
    long reportedHash = reportedHash(result);
    check(
        reportedHash == call.reportedHash,
        Invariant.FIRST_ANSWER,
        call,
        call.reportedHash,
        reportedHash);
    long claimed = claimedHash(result);
    boolean isLost = claimed == NO_TASKS || call.claimed == NO_TASKS;
    check(isLost || claimed == call.claimed, Invariant.FIRST_ANSWER, call, call.claimed, claimed);
  }

  /** Whether a further answer may differ from the first one. */
  private boolean isPassedOver(Call call, int code) {
    if (code == ResultCodes.IDENTITY_STALE) {
      return call.isRogue || call.number < call.caller.ackedBelow() || call.caller.isDead();
    }
    if (code == ResultCodes.OUTCOME_UNKNOWN && call.caller.mayBeForgotten()) {
      return true;
    }
    boolean isLost = code == ResultCodes.CLAIM_LOST || call.code == ResultCodes.CLAIM_LOST;
    if (call.request.type() == RecordType.CLAIM_DOCS) {
      return isLost;
    }
    if (call.request.type() != RecordType.CLAIM) {
      return call.isRogue;
    }
    return isLost || call.isCancelled || context.mayBeGivenBack(call.firstSentNs);
  }

  /** A hash of the written and failed items. */
  private static long reportedHash(ResultDecoder result) {
    // A repeated refusal shows docs and sets as far as they are still there.
    boolean isOk = result.code() == ResultCodes.OK;
    long hash = isOk ? docs(result, written(result)) : written(result);
    for (int i = 0; i < result.failureCount(); i++) {
      FailureDecoder failure = result.failure(i);
      long what = failure.itemKind() * 2L + (failure.claimed() ? 1 : 0);
      hash = SeededRandom.mix(hash + what) * 31 + failure.index() + failure.existingVersion() * 17L;
    }
    return hash * 31 + result.itemKind() * 7L + result.itemIndex();
  }

  private static long written(ResultDecoder result) {
    long hash = NO_TASKS;
    for (int i = 0; i < result.insertedCount(); i++) {
      hash = addWritten(hash, result.inserted(i));
    }
    for (int i = 0; i < result.changedCount(); i++) {
      hash = addWritten(hash, result.changed(i));
    }
    return hash;
  }

  private static long docs(ResultDecoder result, long tasks) {
    long hash = tasks;
    for (int i = 0; i < result.docCount(); i++) {
      DocDecoder doc = result.doc(i);
      hash = addWritten(hash, doc.idHigh(), doc.idLow(), doc.version());
    }
    return hash;
  }

  private static long claimedHash(ResultDecoder result) {
    long hash = NO_TASKS;
    for (int i = 0; i < result.claimedCount(); i++) {
      hash = addWritten(hash, result.claimed(i));
    }
    return hash;
  }

  private static long addWritten(long hash, TaskDecoder task) {
    return addWritten(hash, task.idHigh(), task.idLow(), task.version());
  }

  private static void check(
      boolean isGood, Invariant rule, Object subject, long expected, long actual) {
    if (!isGood) {
      throw rule.broken(subject, expected, actual);
    }
  }

  private static void check(
      boolean isGood, Invariant rule, Object subject, Object expected, Object actual) {
    if (!isGood) {
      throw rule.broken(subject, expected, actual);
    }
  }
}
