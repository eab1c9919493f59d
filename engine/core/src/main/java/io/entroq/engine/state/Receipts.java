package io.entroq.engine.state;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.receipt.ClientStore;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.task.Claimants;

/**
 * Stores and drops receipts of identified requests. Each is part of the digest, and holds a
 * reference to the texts of former claimants that it may have to restore.
 */
final class Receipts {

  /** Beyond this many clients, the one idle for longest is forgotten. */
  static final int CLIENTS_MAX = 65_536;

  private final ClientStore clients;
  private final Claimants claimants;
  private final Arena arena;
  private final Digest digest;
  private final ReplyWriter answers;
  private final Receipt receipt = new Receipt();

  Receipts(Stores stores, ReplyWriter answers) {
    this.clients = stores.clients;
    this.claimants = stores.claimants;
    this.arena = stores.arena;
    this.digest = stores.digest;
    this.answers = answers;
  }

  /** The receipt of a number inside the client's window, or null; valid until the next call. */
  Receipt find(int client, long number) {
    long block = clients.receipt(client, number);
    return block == Arena.NONE ? null : receipt.wrap(arena, block);
  }

  /** True if the number is inside the client's window. */
  boolean isOpen(int client, long number) {
    long ahead = number - clients.ackedBelow(client);
    return ahead >= 0 && ahead < ClientStore.OPEN_REQUESTS_MAX;
  }

  /** Stores the written receipt under a number, replacing an existing one. */
  void store(int client, long number) {
    drop(client, number);
    long block = answers.receipt().store(arena);
    clients.receipt(client, number, block);
    digest.add(receipt.wrap(arena, block).contentHash());
    Invariant.check(
        receipt.number() == number, "a receipt answers its own request", number, receipt.number());
  }

  /** Drops the receipt of a number, if there is one. */
  void drop(int client, long number) {
    long block = clients.receipt(client, number);
    if (block == Arena.NONE) {
      return;
    }
    digest.remove(receipt.wrap(arena, block).contentHash());
    Invariant.check(
        receipt.number() == number, "a receipt answers its own request", number, receipt.number());
    releaseFormerClaimants();
    clients.receipt(client, number, Arena.NONE);
    arena.free(block);
  }

  private void releaseFormerClaimants() {
    receipt.rewindToClaimed();
    for (int i = 0; i < receipt.claimedCount(); i++) {
      if (receipt.formerClaimantHadText()) {
        claimants.release(receipt.formerClaimantHigh(), receipt.formerClaimantLow());
      }
      receipt.nextClaimed();
    }
  }

  /** Removes the returned tasks from a receipt; a Claim becomes cancelled. */
  void revoked(int client, long number) {
    beginChange(client, number);
    releaseFormerClaimants();
    receipt.dropClaimed(ResultCodes.CANCELLED);
    digest.add(receipt.contentHash());
  }

  /** Marks a receipt with claimed tasks as delivered. */
  void delivered(int client, long number) {
    beginChange(client, number);
    receipt.markDelivered();
    digest.add(receipt.contentHash());
  }

  /** Removes a receipt from the digest and makes it writable, by a copy while frozen. */
  private void beginChange(int client, long number) {
    long block = clients.receipt(client, number);
    if (arena.isShared(block)) {
      block = arena.replace(block);
      clients.receipt(client, number, block);
    }
    digest.remove(receipt.wrap(arena, block).contentHash());
  }

  /** Finds or adds a client; {@link Slab#NONE} if all clients have parked claims. */
  int open(long high, long low) {
    int client = clients.find(high, low);
    if (client != Slab.NONE) {
      clients.touch(client);
      return client;
    }
    if (clients.size() >= CLIENTS_MAX && !forgetLongestIdle()) {
      return Slab.NONE;
    }
    return clients.add(high, low);
  }

  private boolean forgetLongestIdle() {
    int idle = clients.longestIdle();
    if (idle == Slab.NONE) {
      return false;
    }
    long from = clients.ackedBelow(idle);
    for (long number = from; clients.receiptCount(idle) > 0; number++) {
      drop(idle, number);
    }
    clients.remove(idle);
    return true;
  }
}
