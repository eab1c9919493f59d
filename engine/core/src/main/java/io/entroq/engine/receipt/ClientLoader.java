package io.entroq.engine.receipt;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.waiter.WaiterLoader;
import io.entroq.engine.waiter.WaiterStore;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Loads the clients of an image and their receipts: {@link #loadClient} and {@link #loadReceipt}
 * for each item, a client before its receipts; then {@link #linkParked} and {@link #linkLists}.
 */
public final class ClientLoader {

  private final ClientStore clients;
  private final Arena arena;
  private final SlotMap slots = new SlotMap("client");
  private final ReceiptCheck check = new ReceiptCheck();
  private int parked;

  public ClientLoader(ClientStore clients, Arena arena) {
    this.clients = clients;
    this.arena = arena;
  }

  /** The keys of the claimants whose texts the receipts refer to, upper and lower halves. */
  public LongArrayList formerClaimants() {
    return check.formerClaimants();
  }

  /** Adds the client of an item. */
  public void loadClient(ChunkReader in) {
    int old = in.getInt();
    int next = in.getInt();
    long high = in.getLong();
    long low = in.getLong();
    long ackedBelow = in.getLong();
    in.require(ackedBelow > 0, "first number that is not acknowledged", ackedBelow);
    in.require(clients.find(high, low) == Slab.NONE, "id known already, client", old);
    int client = clients.addUnlisted(high, low, ackedBelow);
    slots.add(old, client);
    clients.slab.putInt(client, ClientStore.NEXT, next);
  }

  /** Adds the receipt of an item. */
  public void loadReceipt(ChunkReader in) {
    int client = slots.get(in.getInt());
    int length = in.getInt();
    in.require(length >= Receipt.HEADER_BYTES, "bytes of receipt", length);
    int from = in.take(length);
    UnsafeBuffer buffer = in.buffer();
    check.require(in, from, length);
    long number = buffer.getLong(from + Receipt.NUMBER);
    long ahead = number - clients.ackedBelow(client);
    in.require(ahead >= 0 && ahead < ClientStore.OPEN_REQUESTS_MAX, "number of request", number);
    in.require(clients.receipt(client, number) == Arena.NONE, "second receipt of", number);
    long block = arena.allocate(length);
    arena.buffer(block).putBytes(arena.offset(block), buffer, from, length);
    clients.receipt(client, number, block);
    parked += buffer.getInt(from + Receipt.CODE) == Receipt.CODE_PARKED ? 1 : 0;
  }

  /** Links each parked claim and its receipt. */
  public void linkParked(WaiterStore waiters, WaiterLoader loader) {
    if (parked != waiters.size()) {
      throw new ImageException(
          waiters.size() + " claims are parked, and " + parked + " receipts say so");
    }
    for (int waiter = 0; waiter < waiters.size(); waiter++) {
      long number = waiters.number(waiter);
      int client = clients.find(waiters.clientHigh(waiter), waiters.clientLow(waiter));
      long block = client == Slab.NONE ? Arena.NONE : receipt(client, number);
      if (block == Arena.NONE || !isOf(block, loader.oldSlot(waiter))) {
        throw new ImageException(
            "the claim parked by the command " + waiters.sequence(waiter) + " has no receipt");
      }
      arena.buffer(block).putInt(arena.offset(block) + Receipt.WAITER, waiter);
      clients.parkedUnlisted(client);
    }
  }

  /** Checks that each task that a claim may still give back counts that claim. */
  public void checkClaimed(TaskStore tasks) {
    Receipt receipt = new Receipt();
    for (int client = 0; client < clients.size(); client++) {
      long from = clients.ackedBelow(client);
      for (int i = 0; i < clients.window(client); i++) {
        long block = clients.receipt(client, from + i);
        if (block != Arena.NONE) {
          checkClaimed(receipt.wrap(arena, block), tasks);
        }
      }
    }
  }

  private static void checkClaimed(Receipt receipt, TaskStore tasks) {
    receipt.rewindToClaimed();
    for (int i = 0; i < receipt.claimedCount(); i++) {
      int task = receipt.findUnchanged(tasks);
      if (task != Slab.NONE && tasks.claims(task) == 0) {
        throw new ImageException(
            "the task claimed by the command "
                + receipt.requestSequence()
                + " has the number of claims 0");
      }
      receipt.nextClaimed();
    }
  }

  private long receipt(int client, long number) {
    long ahead = number - clients.ackedBelow(client);
    return ahead < 0 || ahead >= ClientStore.OPEN_REQUESTS_MAX
        ? Arena.NONE
        : clients.receipt(client, number);
  }

  private boolean isOf(long block, int oldWaiter) {
    UnsafeBuffer buffer = arena.buffer(block);
    int at = arena.offset(block);
    return buffer.getInt(at + Receipt.CODE) == Receipt.CODE_PARKED
        && buffer.getInt(at + Receipt.WAITER) == oldWaiter;
  }

  /**
   * Puts the clients on their lists.
   *
   * @param firstBusy the slot that the first client with parked claims had, or -1
   * @param firstIdle the slot that the first idle client had, or -1
   */
  public void linkLists(int firstBusy, int firstIdle) {
    int[] next = new int[clients.size()];
    for (int client = 0; client < next.length; client++) {
      next[client] = slots.link(clients.slab.getInt(client, ClientStore.NEXT));
    }
    int linked =
        link(ClientStore.BUSY, slots.link(firstBusy), next)
            + link(ClientStore.IDLE, slots.link(firstIdle), next);
    if (linked != next.length) {
      throw new ImageException("of " + next.length + " clients " + linked + " are on a list");
    }
  }

  /** A visited client becomes its own neighbor, so none can be visited twice. */
  private int link(int list, int first, int[] next) {
    int count = 0;
    int client = first;
    while (client != Slab.NONE) {
      int following = next[client];
      if (following == client || clients.list(client) != list) {
        throw new ImageException("a list of clients is broken after the first " + count);
      }
      next[client] = client;
      clients.append(client, list);
      client = following;
      count++;
    }
    return count;
  }
}
