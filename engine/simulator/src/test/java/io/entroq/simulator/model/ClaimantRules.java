package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import java.util.stream.Stream;

/**
 * Core 3.1 for claimants: as long as a text is remembered anywhere, its key stands for no other.
 */
final class ClaimantRules {
  private final State state;

  ClaimantRules(State state) {
    this.state = state;
  }

  /** Whether another text with the key of this one is remembered. Without a text there is none. */
  boolean conflicts(Id claimant) {
    return !claimant.getText().isEmpty()
        && remembered()
            .anyMatch(
                other ->
                    Key.of(other).equals(Key.of(claimant))
                        && !other.getText().equals(claimant.getText()));
  }

  /**
   * Who holds a task or a doc, waits for one, or held one before a claim that may be given back.
   */
  private Stream<Id> remembered() {
    Stream<Id> holders = state.tasks.all().map(task -> task.fields().getClaimant());
    Stream<Id> waiters = state.waiters.all().stream().map(waiter -> waiter.claim().getClaimant());
    Stream<Id> former =
        state.clients.all().stream()
            .flatMap(client -> client.receipts().values().stream())
            .flatMap(receipt -> receipt.grants().stream())
            .map(grant -> grant.before().getClaimant());
    Stream<Id> docHolders = state.docs.all().map(doc -> doc.fields().getClaimant());
    return Stream.of(holders, waiters, former, docHolders)
        .flatMap(ids -> ids)
        .filter(id -> !id.getText().isEmpty());
  }

  /** Makes a doc somebody's; nobody is not written down. */
  static void set(Doc.Builder doc, Id claimant) {
    if (!Key.of(claimant).isNobody()) {
      doc.setClaimant(claimant);
    }
  }

  /** How a request of such a claimant is refused: no item of it is to blame. */
  static Result.Builder refusal() {
    return Result.newBuilder().setCode(ResultCode.RESULT_KEY_COLLISION);
  }
}
