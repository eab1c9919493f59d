package io.entroq.engine.state;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.receipt.ClientStore;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.task.TaskStore;

/**
 * Returns the tasks of claims whose caller has died or has cancelled (contract 2.2.6). A task gets
 * back its former arrival time and claimant, and its number of claims decreases by one. It also
 * gets a new version, so a reply that was sent after all can no longer be used.
 *
 * <p>A claim is kept if the log records that its reply was sent ({@link #delivered}): the caller
 * may have read it, and the lease protects its work. A Cancel still returns it, because it comes
 * from the caller itself or from the code that failed to deliver the reply.
 */
final class ClaimRevoker {

  private final ClientStore clients;
  private final TaskStore tasks;
  private final TaskTable table;
  private final Failures failures;
  private final WaiterScheduler waiterScheduler;
  private final Receipts receipts;
  private final Digest digest;
  private final Effects effects;

  ClaimRevoker(
      Stores stores,
      TaskTable table,
      Failures failures,
      WaiterScheduler waiterScheduler,
      Receipts receipts) {
    this.clients = stores.clients;
    this.tasks = stores.tasks;
    this.digest = stores.digest;
    this.effects = stores.effects;
    this.table = table;
    this.failures = failures;
    this.waiterScheduler = waiterScheduler;
    this.receipts = receipts;
  }

  /**
   * Cancels one claim.
   *
   * @return false if there is nothing to cancel
   */
  boolean cancel(int client, long number, long nowMs) {
    if (client == Slab.NONE || !receipts.isOpen(client, number)) {
      return false;
    }
    Receipt receipt = receipts.find(client, number);
    if (receipt == null) {
      return false;
    }
    if (receipt.code() == Receipt.CODE_PARKED) {
      waiterScheduler.end(receipt.waiter(), ResultCodes.CANCELLED);
      return true;
    }
    return receipt.claimedCount() > 0 && revoke(client, number, receipt, nowMs);
  }

  private boolean revoke(int client, long number, Receipt receipt, long nowMs) {
    boolean any = restore(receipt, nowMs);
    if (any) {
      receipts.revoked(client, number);
      // Otherwise a retry would get tasks that others may have claimed by now.
      Invariant.check(receipt.claimedCount() == 0, "a revoked claim has no tasks", client, number);
    }
    return any;
  }

  private boolean restore(Receipt receipt, long nowMs) {
    boolean any = false;
    receipt.rewindToClaimed();
    for (int i = 0; i < receipt.claimedCount(); i++) {
      int task = receipt.findUnchanged(tasks);
      // Without a new version a late reply could still be used, so the lease must expire instead.
      if (task != Slab.NONE && tasks.version(task) < Integer.MAX_VALUE) {
        restore(task, receipt, nowMs);
        any = true;
      }
      receipt.nextClaimed();
    }
    return any;
  }

  private void restore(int task, Receipt receipt, long nowMs) {
    Invariant.check(tasks.claims(task) > 0, "a claimed task counts it", task, tasks.claims(task));
    table.detach(task);
    failures.givenBack(task, nowMs);
    tasks.version(task, tasks.version(task) + 1);
    tasks.claims(task, tasks.claims(task) - 1);
    tasks.modifiedMs(task, nowMs);
    tasks.arrivalMs(task, receipt.formerArrivalMs());
    table.claimant(
        task,
        receipt.formerClaimantHigh(),
        receipt.formerClaimantLow(),
        receipt.formerClaimantHadText());
    table.attach(task, nowMs);
    effects.task(EffectKinds.GIVEN_BACK, task);
    digest.happened(tasks.idLow(task), tasks.version(task));
  }

  /** Records that a reply was sent: its claims stay, even if the caller dies. */
  void delivered(int client, long number) {
    if (isOutstanding(client, number)) {
      receipts.delivered(client, number);
    }
  }

  /**
   * Whether tasks claimed by a request would be returned if its callers died now. Changes nothing.
   */
  boolean wouldRevoke(int client, long number) {
    if (!isOutstanding(client, number)) {
      return false;
    }
    Receipt receipt = receipts.find(client, number);
    receipt.rewindToClaimed();
    for (int i = 0; i < receipt.claimedCount(); i++) {
      if (receipt.findUnchanged(tasks) != Slab.NONE) {
        return true;
      }
      receipt.nextClaimed();
    }
    return false;
  }

  private static boolean isParked(Receipt receipt) {
    return receipt.code() == Receipt.CODE_PARKED;
  }

  /** A receipt that is dropped with its client, whether or not its tasks have changed since. */
  private static boolean isOutstandingClaim(Receipt receipt) {
    return receipt.isClaim() && receipt.claimedCount() > 0 && !receipt.isDelivered();
  }

  /** Whether {@link #revokeClient} would change the state. */
  boolean wouldRevokeAny(int client) {
    long from = clients.ackedBelow(client);
    int window = clients.window(client);
    for (long number = from; number - from < window; number++) {
      Receipt receipt = receipts.find(client, number);
      if (receipt != null
          && (isParked(receipt) || isOutstandingClaim(receipt) || wouldRevoke(client, number))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a request has claimed tasks and its reply may not have been sent. */
  private boolean isOutstanding(int client, long number) {
    Receipt receipt =
        client != Slab.NONE && receipts.isOpen(client, number)
            ? receipts.find(client, number)
            : null;
    return receipt != null && receipt.claimedCount() > 0 && !receipt.isDelivered();
  }

  /** Ends and returns the claims of a client whose callers have died. */
  void revokeClient(int client, long nowMs) {
    long from = clients.ackedBelow(client);
    int window = clients.window(client);
    for (long number = from; number - from < window; number++) {
      Receipt receipt = receipts.find(client, number);
      if (receipt == null) {
        continue;
      }
      if (receipt.code() == Receipt.CODE_PARKED) {
        waiterScheduler.end(receipt.waiter(), ResultCodes.CANCELLED);
        receipts.drop(client, number);
      } else if (receipt.claimedCount() > 0 && !receipt.isDelivered()) {
        boolean isClaim = receipt.isClaim();
        revoke(client, number, receipt, nowMs);
        if (isClaim) {
          receipts.drop(client, number);
        }
      }
    }
  }

  /** Does the same for every client. */
  void revokeAll(long nowMs) {
    int client = clients.first();
    while (client != Slab.NONE) {
      int next = clients.next(client);
      revokeClient(client, nowMs);
      client = next;
    }
  }
}
