package io.entroq.simulator.check;

import io.entroq.codec.command.AcknowledgeDecoder;
import io.entroq.codec.command.CallersGoneDecoder;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.text.RecentCommands;
import io.entroq.simulator.undo.Hashes;
import org.agrona.DirectBuffer;

/** What each type of record does, and its answer. */
final class Rules {
  private final Account account;
  private final ClaimRules claims;
  private final WaitRules waits;
  private final CallerRules callers;
  private final DocRules docs;
  private final ModifyRules modifies;
  private final ClaimDecoder claim = new ClaimDecoder();
  private final ModifyDecoder modify = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocs = new ClaimDocsDecoder();
  private final CancelDecoder cancel = new CancelDecoder();
  private final CallersGoneDecoder gone = new CallersGoneDecoder();
  private final AcknowledgeDecoder acknowledge = new AcknowledgeDecoder();
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raise = new RaiseLevelDecoder();

  Rules(Account account, Fairness fairness, RecentCommands recent) {
    this.account = account;
    claims = new ClaimRules(account, fairness, recent);
    FailureRules failures = new FailureRules(account, claims);
    claims.setFailures(failures);
    waits = new WaitRules(account, claims, failures);
    docs = new DocRules(account);
    callers = new CallerRules(account, claims, docs, waits);
    modifies = new ModifyRules(account, claims, docs, failures);
  }

  /** Executes a record whose answers have been recorded. */
  void execute(Step step, int type, DirectBuffer command, int length) {
    waits.advance(step);
    switch (type) {
      case RecordType.CLAIM -> claim(step, command, length);
      case RecordType.MODIFY -> modify(step, command, length);
      case RecordType.CLAIM_DOCS -> claimDocs(step, command, length);
      case RecordType.CANCEL -> {
        cancel.wrap(command, 0, length);
        callers.cancel(step, cancel);
      }
      case RecordType.CALLERS_GONE -> {
        gone.wrap(command, 0, length);
        callers.gone(step, gone);
      }
      case RecordType.ACKNOWLEDGE -> {
        acknowledge.wrap(command, 0, length);
        callers.acknowledge(step, acknowledge);
      }
      case RecordType.GENESIS -> {
        genesis.wrap(command, 0, length);
        account.level(genesis.level());
      }
      case RecordType.RAISE_LEVEL -> raiseLevel(step, command, length);
      default -> {
        // A tick only passes time, and a cut concerns only readers of the log.
      }
    }
    waits.serve(step);
  }

  private void raiseLevel(Step step, DirectBuffer command, int length) {
    raise.wrap(command, 0, length);
    boolean isHigher = raise.level() > account.level();
    callers.expectOwn(step, isHigher ? ResultCodes.OK : ResultCodes.LEVEL_REFUSED);
    account.level(Math.max(raise.level(), account.level()));
  }

  // Claims.

  private void claim(Step step, DirectBuffer command, int length) {
    claim.wrap(command, 0, length);
    long text = claimantText(claim);
    boolean isConflict = account.holders.conflict(claim.claimantHigh(), claim.claimantLow(), text);
    if (!claim.hasIdentity()) {
      account.receipts.begin(0, step.sequence);
      claim(step, text, isConflict);
    } else if (callers.admits(
        step,
        claim.clientHigh(),
        claim.clientLow(),
        claim.requestNumber(),
        claim.ackedBelow(),
        RetryRules.body(claim))) {
      int client = callers.client();
      if (claim(step, text, isConflict)) {
        account.receipts.store(client, claim.requestNumber());
      } else {
        waits.park(step, claim, client, text);
      }
    }
  }

  /** Whether the claim was answered; if not, it waits. */
  private boolean claim(Step step, long text, boolean isConflict) {
    claims.setQueues(claim);
    boolean findsNothing = isConflict || !claims.hasWork(step.nowMs);
    boolean waits = !isConflict && findsNothing && WaitRules.waits(claim, step.nowMs);
    if (waits) {
      // Its queues follow what was written, so that a limiter may count less, and serve it at once.
      claims.touchQueues();
    }
    boolean isServed = waits && claims.hasWork(step.nowMs);
    if (findsNothing && !isServed && account.answers.has(step.sequence)) {
      claims.failUnavailable(step, account.answers.at(step.sequence));
    }
    if (waits) {
      return false;
    }
    if (findsNothing) {
      int code = isConflict ? ResultCodes.KEY_COLLISION : outcome(claim);
      callers.expectOwn(step, code);
      account.receipts.put(Receipts.CODE, code);
      return true;
    }
    int answer = account.answers.take(step.sequence);
    if (answer < 0) {
      throw Invariant.CLAIMERS_SERVED.broken(
          step.name(), "a task", "no answer, though tasks are available");
    }
    if (account.answers.get(answer + Answers.CODE) == outcome(claim)) {
      throw Invariant.CLAIMS_FIND_WORK.broken(
          step.name(), "a task", "the answer that there is none");
    }
    CallerRules.expectHead(account, step, step.sequence, answer, ResultCodes.OK);
    account.receipts.put(Receipts.CODE, ResultCodes.OK);
    claims.setClaimant(claim.claimantHigh(), claim.claimantLow(), text, claim.leaseMs());
    claims.take(step, answer, claim.limit(), ClaimRules.CLAIM_BYTES_MAX);
    return true;
  }

  private static int outcome(ClaimDecoder claim) {
    return claim.waits() ? ResultCodes.TIMED_OUT : ResultCodes.EMPTY;
  }

  private static long claimantText(ClaimDecoder claim) {
    return Hashes.bytes(claim.buffer(), claim.claimantTextOffset(), claim.claimantTextLength());
  }

  // Modifies.

  private void modify(Step step, DirectBuffer command, int length) {
    modify.wrap(command, 0, length);
    long text = claimantText(modify);
    boolean isConflict =
        account.holders.conflict(modify.claimantHigh(), modify.claimantLow(), text);
    if (!modify.hasIdentity()) {
      account.receipts.begin(0, step.sequence);
      modifies.execute(step, modify, callers.takeOwn(step), text, isConflict);
    } else if (callers.admits(
        step,
        modify.clientHigh(),
        modify.clientLow(),
        modify.requestNumber(),
        modify.ackedBelow(),
        RetryRules.body(modify))) {
      int client = callers.client();
      account.receipts.put(Receipts.IS_MODIFY, 1);
      modifies.execute(step, modify, callers.takeOwn(step), text, isConflict);
      account.receipts.store(client, modify.requestNumber());
    }
  }

  private static long claimantText(ModifyDecoder modify) {
    return Hashes.bytes(modify.buffer(), modify.claimantTextOffset(), modify.claimantTextLength());
  }

  // Claims of docs.

  private void claimDocs(Step step, DirectBuffer command, int length) {
    claimDocs.wrap(command, 0, length);
    long text = claimantText(claimDocs);
    boolean isConflict = isConflict(claimDocs, text);
    if (!claimDocs.hasIdentity()) {
      account.receipts.begin(0, step.sequence);
      docs.claim(step, claimDocs, callers.takeOwn(step), text, isConflict);
    } else if (callers.admits(
        step,
        claimDocs.clientHigh(),
        claimDocs.clientLow(),
        claimDocs.requestNumber(),
        claimDocs.ackedBelow(),
        RetryRules.body(claimDocs))) {
      int client = callers.client();
      docs.claim(step, claimDocs, callers.takeOwn(step), text, isConflict);
      account.receipts.store(client, claimDocs.requestNumber());
    }
  }

  private boolean isConflict(ClaimDocsDecoder claim, long text) {
    return account.holders.conflict(claim.claimantHigh(), claim.claimantLow(), text);
  }

  private static long claimantText(ClaimDocsDecoder claim) {
    return Hashes.bytes(claim.buffer(), claim.claimantTextOffset(), claim.claimantTextLength());
  }

  // Commands without a record.

  /** Checks the answer to a command without a record. */
  void expectUnlogged(Step step, int type, DirectBuffer command, int length) {
    switch (type) {
      case RecordType.CLAIM -> {
        claim.wrap(command, 0, length);
        boolean isConflict =
            account.holders.conflict(
                claim.claimantHigh(), claim.claimantLow(), claimantText(claim));
        claims.setQueues(claim);
        if (!isConflict && claims.hasWork(step.nowMs)) {
          throw Invariant.CLAIMS_FIND_WORK.broken(
              claim.queueCount() == 1
                  ? account.names.text(
                      account.names.number(
                          claim.buffer(), claim.queueOffset(0), claim.queueLength(0)))
                  : step.name(),
              "a task",
              "the answer that there is none");
        }
        callers.expectOwn(step, isConflict ? ResultCodes.KEY_COLLISION : ResultCodes.EMPTY);
      }
      case RecordType.MODIFY -> {
        modify.wrap(command, 0, length);
        boolean isConflict =
            account.holders.conflict(
                modify.claimantHigh(), modify.claimantLow(), claimantText(modify));
        modifies.expectRefused(step, modify, callers.takeOwn(step), isConflict);
      }
      case RecordType.CLAIM_DOCS -> {
        claimDocs.wrap(command, 0, length);
        boolean isConflict = isConflict(claimDocs, claimantText(claimDocs));
        docs.expectRefused(step, claimDocs, callers.takeOwn(step), isConflict);
      }
      default -> callers.expectOwn(step, ResultCodes.LEVEL_REFUSED);
    }
  }
}
