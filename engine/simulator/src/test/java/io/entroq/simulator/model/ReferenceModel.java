package io.entroq.simulator.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.simulator.check.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue as the contract describes it. Every method that takes an answer checks it and throws
 * {@link Violation} where it breaks a rule.
 */
public final class ReferenceModel {
  private final State state = new State();
  private final ClaimRules claims = new ClaimRules(state);
  private final ClaimantRules claimants = new ClaimantRules(state);
  private final WaitRules waits = new WaitRules(state, claims);
  private final CallerRules callers = new CallerRules(state, claims, waits);
  private final RetryRules retries = new RetryRules(state, claims);

  /**
   * One record of the log.
   *
   * @param command its payload
   * @param sequence its place, one after that of the record before
   * @param logTimeMs its time, not before that of the record before
   * @param answers everything that the engine said when it applied the record
   */
  public void apply(Message command, long sequence, long logTimeMs, StepAnswers answers) {
    Step step = new Step(state.level, sequence, logTimeMs, answers);
    waits.advance(logTimeMs);
    state.nowMs = logTimeMs;
    state.sequence = sequence;
    waits.serve(step);
    waits.timeOut(step);
    execute(step, command);
    waits.serve(step);
    answers.checkNothingLeft();
    Violation.checkEqual(
        "no queue has both a waiter and an available task that nobody is going to serve",
        "@" + sequence,
        List.of(),
        waits.forgottenQueues());
  }

  private void execute(Step step, Message command) {
    if (command instanceof Claim claim) {
      execute(step, claim);
    } else if (command instanceof Modify modify) {
      execute(step, modify);
    } else if (command instanceof ClaimDocs claim) {
      execute(step, claim);
    } else if (command instanceof Cancel cancel) {
      boolean found = callers.cancel(step, cancel);
      ResultCode code = found ? ResultCode.RESULT_OK : ResultCode.RESULT_EMPTY;
      step.expect("a Cancel says whether there was a claim to end", step.result(code).build());
    } else if (command instanceof CallersGone gone) {
      callers.callersGone(step, gone);
    } else if (command instanceof Acknowledge acknowledge) {
      callers.acknowledge(step, acknowledge);
    } else if (command instanceof Genesis genesis) {
      state.level = genesis.getLevel();
    } else if (command instanceof RaiseLevel raise) {
      raiseLevel(step, raise);
    }
  }

  private void raiseLevel(Step step, RaiseLevel raise) {
    boolean isHigher = raise.getLevel() > state.level;
    ResultCode code = isHigher ? ResultCode.RESULT_OK : ResultCode.RESULT_LEVEL_REFUSED;
    step.expect("a level only goes up", step.result(code).build());
    state.level = Math.max(state.level, raise.getLevel());
  }

  // Claims.

  private void execute(Step step, Claim claim) {
    ByteString body = claim.toBuilder().clearIdentity().build().toByteString();
    boolean conflicts = claimants.conflicts(claim.getClaimant());
    if (claim.hasIdentity() && !admit(step, claim.getIdentity(), Claim.class, body)) {
      return;
    }
    if (conflicts) {
      refuse(step, claim, body);
      return;
    }
    boolean findsNothing = !claims.findsWork(claim, step.nowMs);
    if (findsNothing && claim.getWait() && !waits.isOver(claim, step.nowMs)) {
      waits.park(step, claim);
      keep(claim.getIdentity(), Receipt.parked(Claim.class, body, step.sequence));
      return;
    }
    String rule = "a claim is answered";
    Result actual = step.answers.take(step.sequence, rule);
    List<Grant> grants =
        claims.take(
            step, claim, claim.getClaimant(), ClaimRules.limit(claim), actual.getClaimedList());
    Result expected =
        step.result(outcome(claim, grants)).addAllClaimed(ClaimRules.claimed(grants)).build();
    Violation.checkEqual(rule, "@" + step.sequence, expected, actual);
    keep(
        claim.getIdentity(), Receipt.of(Claim.class, body, expected, List.of(), grants, List.of()));
  }

  private void refuse(Step step, Claim claim, ByteString body) {
    Result refused =
        ClaimantRules.refusal().setSequence(step.sequence).setLogTimeMs(step.nowMs).build();
    step.expect("two texts cannot share a key", refused);
    keep(claim.getIdentity(), Receipt.refused(Claim.class, body, refused));
  }

  private static ResultCode outcome(Claim claim, List<Grant> grants) {
    if (!grants.isEmpty()) {
      return ResultCode.RESULT_OK;
    }
    return claim.getWait() ? ResultCode.RESULT_TIMED_OUT : ResultCode.RESULT_EMPTY;
  }

  private void execute(Step step, ClaimDocs claim) {
    ByteString body = claim.toBuilder().clearIdentity().build().toByteString();
    ClaimDocsRules rules = new ClaimDocsRules(state, claim, step.nowMs);
    if (claim.hasIdentity() && !admit(step, claim.getIdentity(), ClaimDocs.class, body)) {
      return;
    }
    Result.Builder refusal = rules.refusal();
    List<ModelDoc> docs = refusal == null ? rules.commit() : rules.held();
    Result.Builder expected =
        refusal == null
            ? Result.newBuilder()
                .setCode(ResultCode.RESULT_OK)
                .addAllDocs(docs.stream().map(ModelDoc::fields).toList())
            : refusal;
    Result answer = expected.setSequence(step.sequence).setLogTimeMs(step.nowMs).build();
    step.expect("all docs of a key are claimed, or none", answer);
    keep(
        claim.getIdentity(), Receipt.of(ClaimDocs.class, body, answer, List.of(), List.of(), docs));
  }

  // Modifies.

  private void execute(Step step, Modify modify) {
    // A limit is not what the caller asks for: his retry may meet another.
    ByteString body =
        modify.toBuilder().clearIdentity().clearQueueTasksMax().build().toByteString();
    ModifyRules rules = new ModifyRules(state, modify, step.nowMs);
    if (modify.hasIdentity() && !admit(step, modify.getIdentity(), Modify.class, body)) {
      return;
    }
    Result.Builder refusal = rules.refusal();
    if (refusal != null) {
      Result expected = refusal.setSequence(step.sequence).setLogTimeMs(step.nowMs).build();
      step.expect("a Modify that fails its checks says why", expected);
      keep(modify.getIdentity(), Receipt.refused(Modify.class, body, expected));
    } else {
      commit(step, modify, rules, body);
    }
  }

  private void commit(Step step, Modify modify, ModifyRules rules, ByteString body) {
    String rule = "a Modify that passes its checks commits";
    Result actual = step.answers.take(step.sequence, rule);
    List<ModelTask> inserted = rules.insertAll(step.sequence);
    List<ModelTask> changed = rules.changeAll();
    rules.deleteAll();
    List<ModelDoc> docs = rules.commitDocs(step.sequence);
    List<ModelTask> written = concatenated(inserted, changed);
    touch(step, written);
    List<Grant> grants =
        modify.hasThenClaim()
            ? claims.take(
                step,
                modify.getThenClaim(),
                modify.getClaimant(),
                ClaimRules.limit(modify.getThenClaim()),
                actual.getClaimedList())
            : List.of();
    Result expected =
        step.result(ResultCode.RESULT_OK)
            .addAllClaimed(ClaimRules.claimed(grants))
            .addAllInserted(fields(inserted))
            .addAllChanged(fields(changed))
            .addAllDocs(docs.stream().map(ModelDoc::withoutValue).toList())
            .build();
    Violation.checkEqual(rule, "@" + step.sequence, expected, actual);
    keep(
        modify.getIdentity(),
        Receipt.of(Modify.class, body, expected, written, grants, docs)
            .whole(state.level >= RetryRules.WHOLE_LEVEL));
  }

  /** Contract 2.3: tasks that are available at once wake those who wait for their queue. */
  private void touch(Step step, List<ModelTask> written) {
    for (ModelTask task : written) {
      if (task.isAvailable(step.nowMs)) {
        claims.nowAvailable(task.fields().getQueue());
      }
    }
  }

  private static List<ModelTask> concatenated(List<ModelTask> first, List<ModelTask> second) {
    List<ModelTask> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private static List<Task> fields(List<ModelTask> tasks) {
    return tasks.stream().map(ModelTask::fields).toList();
  }

  // Identity (core 4.1, 4.2).

  /** Whether the request is to be executed; if not, it has been answered. */
  private boolean admit(Step step, Identity identity, Class<?> kind, ByteString body) {
    long number = identity.getNumber();
    Client client = state.clients.seen(Key.of(identity));
    if (client == null) {
      if (number != 1) {
        refuse(step, ResultCode.RESULT_OUTCOME_UNKNOWN);
        return false;
      }
      client = state.clients.admit(Key.of(identity));
    }
    callers.acknowledge(step, client, identity.getAckedBelow());
    if (client.isStale(number)) {
      refuse(step, ResultCode.RESULT_IDENTITY_STALE);
      return false;
    }
    if (client.isBeyondWindow(number)) {
      refuse(step, ResultCode.RESULT_IDENTITY_WINDOW);
      return false;
    }
    Receipt receipt = client.receipt(number);
    if (receipt != null) {
      answerRetry(step, receipt, kind, body);
    }
    return receipt == null;
  }

  private void answerRetry(Step step, Receipt receipt, Class<?> kind, ByteString body) {
    if (!receipt.isFor(kind, body)) {
      refuse(step, ResultCode.RESULT_IDENTITY_REUSED);
    } else if (receipt.isParked()) {
      step.answers.takeAttached(step.sequence, receipt.parkedAt());
    } else {
      String rule = "a retry gets the first answer";
      Result actual = step.answers.take(step.sequence, rule);
      Violation.checkEqual(
          rule,
          "@" + step.sequence,
          RetryRules.comparable(receipt, retries.again(step, receipt)),
          RetryRules.comparable(receipt, actual));
    }
  }

  private static void refuse(Step step, ResultCode code) {
    step.expect("a request with a wrong identity is refused", step.result(code).build());
  }

  private void keep(Identity identity, Receipt receipt) {
    Client client = state.clients.find(Key.of(identity));
    if (client != null) {
      client.keep(identity.getNumber(), receipt);
    }
  }

  // What needs no record.

  /**
   * Core 1.6: whether a command that comes now must be logged. What changes nothing and has no
   * identity needs no record.
   */
  public boolean needsRecord(Message command, long nowMs) {
    if (command instanceof Claim claim) {
      boolean finds = claims.findsWork(claim, nowMs) && !claimants.conflicts(claim.getClaimant());
      return claim.hasIdentity() || finds;
    }
    if (command instanceof Modify modify) {
      Result.Builder refusal = new ModifyRules(state, modify, nowMs).refusal();
      return refusal == null || (modify.hasIdentity() && !isBeforeDocs(refusal));
    }
    if (command instanceof ClaimDocs claim) {
      Result.Builder refusal = new ClaimDocsRules(state, claim, nowMs).refusal();
      return refusal == null || (claim.hasIdentity() && !isBeforeDocs(refusal));
    }
    return !(command instanceof RaiseLevel raise) || raise.getLevel() > state.level;
  }

  /** Builds without docs read logs of such a level too, so no docs must be in them. */
  private static boolean isBeforeDocs(Result.Builder refusal) {
    return refusal.getCode() == ResultCode.RESULT_NO_DOCS;
  }

  /** Checks the answer of a command that needs no record. */
  public void answered(Message command, long nowMs, StepAnswers answers) {
    String rule = "a command that changes nothing is answered without a record";
    Result actual = answers.take(StepAnswers.NOT_LOGGED, rule);
    Result expected =
        unlogged(command, nowMs).setSequence(state.sequence).setLogTimeMs(nowMs).build();
    Violation.checkEqual(rule, "@" + state.sequence, expected, actual);
    answers.checkNothingLeft();
  }

  private Result.Builder unlogged(Message command, long nowMs) {
    if (command instanceof Modify modify) {
      return new ModifyRules(state, modify, nowMs).refusal();
    }
    if (command instanceof ClaimDocs claim) {
      return new ClaimDocsRules(state, claim, nowMs).refusal();
    }
    if (command instanceof Claim claim) {
      return claimants.conflicts(claim.getClaimant())
          ? ClaimantRules.refusal()
          : Result.newBuilder().setCode(ResultCode.RESULT_EMPTY);
    }
    return Result.newBuilder().setCode(ResultCode.RESULT_LEVEL_REFUSED);
  }

  /**
   * Core 5.2: checks the time at which the engine wants to be told that time has passed. While work
   * is unfinished any time that has come will do.
   */
  public void checkNextDeadline(long actualMs) {
    long expectedMs = waits.nextDeadlineMs();
    boolean agrees = expectedMs <= state.nowMs ? actualMs <= state.nowMs : actualMs == expectedMs;
    Violation.check(
        agrees, "the next deadline is the earliest that matters", "@", expectedMs, actualMs);
  }

  /** A view of all tasks and queues, for checks of reads and for generators. */
  public ModelView view() {
    return new ModelView(state, waits);
  }
}
