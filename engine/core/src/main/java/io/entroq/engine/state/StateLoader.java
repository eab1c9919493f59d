package io.entroq.engine.state;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.engine.doc.DocLoader;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import io.entroq.engine.policy.PolicyLoader;
import io.entroq.engine.policy.PoolLoader;
import io.entroq.engine.queue.QueueLoader;
import io.entroq.engine.receipt.ClientLoader;
import io.entroq.engine.task.ClaimantImage;
import io.entroq.engine.task.TaskLoader;
import io.entroq.engine.waiter.WaiterLoader;
import java.util.BitSet;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;

/**
 * Builds a state machine from the chunks of an image: each in turn, then {@link #finish}. Checks
 * every value, and frees the memory before it throws.
 */
public final class StateLoader implements ChunkSink {

  /** Bytes of an entry of the end: a kind and its number of items. */
  private static final int KIND_BYTES = Integer.BYTES + Long.BYTES;

  private final StateMachine machine;
  private final Stores stores;
  private final TaskLoader tasks;
  private final QueueLoader queues;
  private final WaiterLoader waiters;
  private final ClientLoader clients;
  private final DocLoader docs;
  private final PolicyLoader policies;
  private final PoolLoader pools;
  private final ChunkReader in = new ChunkReader();
  private final long[] counts = new long[ChunkKinds.MAX + 1];
  private final Digest content = new Digest();
  private ImageHead head;
  private boolean isClosed;

  /**
   * Begins with an empty state.
   *
   * @param config may differ from that of the state that was written
   */
  public StateLoader(StateMachineConfig config) {
    machine = new StateMachine(config);
    stores = machine.stores;
    tasks = new TaskLoader(stores.tasks, stores.expiries);
    queues =
        new QueueLoader(
            stores.queues, stores.tasks, stores.ready, stores.arrivals, stores.claimsCounts);
    waiters = new WaiterLoader(stores.waiters, stores.queues);
    clients = new ClientLoader(stores.clients, stores.arena);
    policies = new PolicyLoader(stores.policies, stores.ruled, stores.queues, stores.tasks);
    pools = new PoolLoader(stores.ruled, stores.queues);
    docs = new DocLoader(stores.namespaces, stores.docSets, stores.docs, stores.keyTree);
  }

  /**
   * Loads a chunk.
   *
   * @throws ImageException if it holds an impossible value
   * @throws UnsupportedLevelException if this build does not support the behavior level of the
   *     state
   */
  @Override
  public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
    requireOpen();
    boolean isGood = false;
    try {
      in.wrap(kind, items, buffer, offset, length);
      load(kind);
      isGood = true;
    } catch (InvariantBrokenException e) {
      throw broken(e);
    } finally {
      if (!isGood) {
        close();
      }
    }
  }

  private static ImageException broken(InvariantBrokenException cause) {
    ImageException broken = new ImageException(cause.getMessage());
    broken.initCause(cause);
    return broken;
  }

  private void load(int kind) {
    if ((kind == ChunkKinds.HEAD) != (head == null) || counts[ChunkKinds.END] > 0) {
      throw new ImageException("a chunk of " + ChunkKinds.name(kind) + " is out of order");
    }
    while (in.next()) {
      item(kind);
      counts[kind]++;
    }
  }

  private void item(int kind) {
    switch (kind) {
      case ChunkKinds.HEAD -> loadHead();
      case ChunkKinds.TASKS -> tasks.load(in, head.sequence(), head.lastOrder());
      case ChunkKinds.QUEUES -> queues.load(in);
      case ChunkKinds.CLAIMANTS -> ClaimantImage.load(in, stores.claimants);
      case ChunkKinds.WAITERS -> loadWaiter();
      case ChunkKinds.MEMBERSHIPS -> waiters.loadMembership(in);
      case ChunkKinds.CLIENTS -> clients.loadClient(in);
      case ChunkKinds.RECEIPTS -> loadReceipt();
      case ChunkKinds.POLICIES -> policies.loadPolicy(in);
      case ChunkKinds.QUEUE_RULES -> policies.loadQueue(in);
      case ChunkKinds.POOL_NODES -> loadPoolNode();
      case ChunkKinds.DOCS -> docs.loadDoc(in, head.sequence());
      case ChunkKinds.DOC_SETS -> docs.loadSet(in, head.sequence());
      case ChunkKinds.REMEMBERED_IDS -> loadRememberedId();
      case ChunkKinds.SHARED_CONTENTS -> loadSharedContent();
      case ChunkKinds.END -> checkEnd();
      default -> throw new ImageException("it has chunks of " + ChunkKinds.name(kind));
    }
  }

  private void loadHead() {
    if (head != null) {
      throw new ImageException("it has two heads");
    }
    head = ImageHead.read(in);
    in.require(stores.poolWalk.isPart(head.poolPart()), "part of the queues", head.poolPart());
  }

  private void loadWaiter() {
    waiters.loadWaiter(in, head.sequence());
  }

  private void loadRememberedId() {
    in.require(head.level() >= Levels.POLICIES, "remembered ids at level", head.level());
    content.add(stores.rememberedIds.hash(stores.rememberedIds.load(in)));
  }

  private void loadSharedContent() {
    in.require(head.level() >= Levels.POOLS, "shared contents at level", head.level());
    tasks.shared().load(in);
  }

  private void loadPoolNode() {
    in.require(head.level() >= Levels.POOLS, "pools at level", head.level());
    pools.load(in);
  }

  private void loadReceipt() {
    clients.loadReceipt(in);
  }

  /** Checks the list of the kinds that have items, in ascending order, with their numbers. */
  private void checkEnd() {
    int bytes = in.getInt();
    in.require(bytes >= 0 && bytes % KIND_BYTES == 0, "bytes of the end", bytes);
    int last = ChunkKinds.HEAD;
    for (int i = 0; i < bytes / KIND_BYTES; i++) {
      int kind = in.getInt();
      long written = in.getLong();
      in.require(kind > last, "order of " + ChunkKinds.name(kind), written);
      requireNone(last + 1, kind);
      in.require(
          kind <= ChunkKinds.MAX && kind != ChunkKinds.END && written == counts[kind],
          "count of " + ChunkKinds.name(kind),
          written);
      last = kind;
    }
    requireNone(last + 1, counts.length);
  }

  private void requireNone(int first, int end) {
    for (int kind = first; kind < Math.min(end, counts.length); kind++) {
      in.require(counts[kind] == 0, "end without " + ChunkKinds.name(kind), counts[kind]);
    }
  }

  /**
   * Completes the state after the last chunk.
   *
   * @return the state machine, equal to the one that was frozen
   * @throws ImageException if the chunks do not fit together
   */
  public StateMachine finish() {
    requireOpen();
    boolean isGood = false;
    try {
      checkCounts();
      linkTasks();
      linkDocs();
      linkWaiters();
      linkClients();
      checkQueues();
      checkDigest();
      isGood = true;
    } catch (InvariantBrokenException e) {
      throw broken(e);
    } finally {
      if (!isGood) {
        close();
      }
    }
    isClosed = true;
    return machine;
  }

  private void checkCounts() {
    if (counts[ChunkKinds.END] != 1) {
      throw new ImageException("it has no end");
    }
    check(ChunkKinds.TASKS, head.tasks());
    check(ChunkKinds.QUEUES, head.queues());
    check(ChunkKinds.CLAIMANTS, head.claimants());
    check(ChunkKinds.WAITERS, head.waiters());
    check(ChunkKinds.MEMBERSHIPS, head.memberships());
    check(ChunkKinds.CLIENTS, head.clients());
  }

  private void check(int kind, int expected) {
    if (expected != counts[kind]) {
      throw new ImageException(
          "its head counts "
              + expected
              + " "
              + ChunkKinds.name(kind)
              + ", and it has "
              + counts[kind]);
    }
  }

  private void linkTasks() {
    queues.beginLinks();
    tasks.beginLinks();
    for (int task = 0; task < stores.tasks.size(); task++) {
      tasks.link(task, queues.slots());
      queues.place(task, tasks.slots());
      content.add(machine.table.hash(task));
      if (stores.tasks.hasClaimantText(task)) {
        refer(stores.tasks.claimantHigh(task), stores.tasks.claimantLow(task));
      }
    }
    tasks.endLinks();
    queues.endLinks(tasks.slots());
    stores.ruled.step(head.logTimeMs());
    policies.link(queues.slots(), tasks.slots(), head.policyEpoch());
    pools.link(queues.slots());
  }

  private void linkDocs() {
    docs.link();
    for (int doc = 0; doc < stores.docs.size(); doc++) {
      content.add(machine.docTable.hash(doc));
    }
    for (int set = 0; set < stores.docSets.size(); set++) {
      stores.leases.add(set, head.logTimeMs());
      content.add(machine.docTable.hashOfSet(set));
      if (stores.docSets.hasClaimantText(set)) {
        refer(stores.docSets.claimantHigh(set), stores.docSets.claimantLow(set));
      }
    }
  }

  private void refer(long high, long low) {
    if (!stores.claimants.isKnown(high, low)) {
      throw new ImageException(
          "the text of claimant "
              + Long.toHexString(high)
              + ":"
              + Long.toHexString(low)
              + " is missing");
    }
    stores.claimants.acquire(high, low);
  }

  private void linkWaiters() {
    waiters.link(queues.slots());
    for (int waiter = 0; waiter < stores.waiters.size(); waiter++) {
      if (stores.waiters.hasClaimantText(waiter)) {
        refer(stores.waiters.claimantHigh(waiter), stores.waiters.claimantLow(waiter));
      }
    }
  }

  private void linkClients() {
    clients.linkParked(stores.waiters, waiters);
    clients.linkLists(head.firstBusyClient(), head.firstIdleClient());
    clients.checkClaimed(stores.tasks);
    LongArrayList former = clients.formerClaimants();
    for (int i = 0; i < former.size(); i += 2) {
      refer(former.getLong(i), former.getLong(i + 1));
    }
    if (!stores.claimants.areAllReferred()) {
      throw new ImageException("it has texts of claimants that nothing refers to");
    }
  }

  /** Checks that every queue is in use, and that those to be served are on the list. */
  private void checkQueues() {
    policies.place(queues.slots());
    pools.place(head.logTimeMs());
    int toServe = 0;
    for (int queue = 0; queue < stores.queues.highWater(); queue++) {
      boolean isToServe = stores.queues.isToServe(queue);
      boolean isWaitedOn = stores.queues.firstWaiter(queue) != Slab.NONE;
      if (!stores.queues.isUsed(queue)) {
        throw queues.wrong(queue, "has no task and no parked claim");
      }
      toServe += isToServe ? 1 : 0;
      if (isWaitedOn && stores.queues.rules(queue) == Slab.NONE) {
        // The lookup is that of the last write of a policy: it followed, or found nothing.
        stores.queues.markPlain(queue);
        stores.watch.update(queue);
      }
    }
    restore(toServe);
  }

  private void restore(int toServe) {
    SlotMap slots = queues.slots();
    int first = slots.link(head.firstToServe());
    int last = Slab.NONE;
    BitSet met = new BitSet();
    for (int queue = first; queue != Slab.NONE; queue = stores.queues.nextToServe(queue)) {
      if (!stores.queues.isToServe(queue) || met.get(queue)) {
        throw queues.wrong(queue, "is wrongly on the list of queues to be served");
      }
      met.set(queue);
      stores.queues.nextToServe(queue, slots.link(stores.queues.nextToServe(queue)));
      last = queue;
    }
    if (met.cardinality() != toServe) {
      throw new ImageException(
          "of " + toServe + " queues to be served " + met.cardinality() + " are on the list");
    }
    machine.restore(head, first, last);
  }

  private void checkDigest() {
    ContentDigest.addClients(stores, content);
    long digest = content.content() + stores.policies.content() + stores.ruled.content();
    if (digest != head.contentDigest()) {
      throw new ImageException(
          "its content has the digest "
              + Long.toHexString(digest)
              + ", and its head says "
              + Long.toHexString(head.contentDigest()));
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the state has been loaded, or could not be");
    }
  }

  /** Frees the memory of a state that is not needed; does nothing after {@link #finish}. */
  public void close() {
    if (!isClosed) {
      isClosed = true;
      machine.close();
    }
  }
}
