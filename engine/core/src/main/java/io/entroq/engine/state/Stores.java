package io.entroq.engine.state;

import io.entroq.engine.doc.DocImage;
import io.entroq.engine.doc.DocSetImage;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.LeaseIndex;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.DeterministicRandom;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.policy.PolicyImage;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.PoolImage;
import io.entroq.engine.policy.PoolWalk;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.ClaimsCounts;
import io.entroq.engine.queue.InFlight;
import io.entroq.engine.queue.QueueImage;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.queue.WatchIndex;
import io.entroq.engine.receipt.ClientStore;
import io.entroq.engine.receipt.DocFlyweight;
import io.entroq.engine.receipt.TaskFlyweight;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.ExpiryIndex;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.task.SharedContents;
import io.entroq.engine.task.TaskImage;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.waiter.WaiterStore;

/** All state in one place; the rules are elsewhere. */
final class Stores {

  final Arena arena = new Arena();
  final Digest digest = new Digest();
  final DeterministicRandom random = new DeterministicRandom();
  final TaskStore tasks;
  final Claimants claimants;
  final QueueStore queues;
  final ReadyIndex ready;
  final ArrivalIndex arrivals;
  final ClaimsCounts claimsCounts;
  final WatchIndex watch;
  final InFlight inFlight;
  final ExpiryIndex expiries;
  final RememberedIds rememberedIds;
  final WaiterStore waiters;
  final QueuesToServe toServe;
  final PolicyStore policies;
  final RuledQueues ruled;
  final PoolWalk poolWalk;
  final ClientStore clients;
  final NamespaceStore namespaces;
  final DocSetStore docSets;
  final DocStore docs;
  final KeyTree keyTree;
  final LeaseIndex leases;

  /** No state, but told by all who change it. */
  final Effects effects;

  Stores(StateMachineConfig config) {
    tasks = new TaskStore(arena, config.taskChunkShift());
    claimants = new Claimants(arena);
    queues = new QueueStore(arena, config.queueChunkShift());
    ready = new ReadyIndex(queues, tasks);
    arrivals = new ArrivalIndex(queues, tasks);
    claimsCounts = new ClaimsCounts(queues);
    watch = new WatchIndex(queues, tasks, arrivals);
    inFlight = new InFlight(tasks, queues);
    expiries = new ExpiryIndex(tasks);
    rememberedIds = new RememberedIds(config.waiterChunkShift());
    waiters = new WaiterStore(queues, config.waiterChunkShift());
    toServe = new QueuesToServe(queues, watch);
    policies = new PolicyStore(arena);
    ruled = new RuledQueues(policies, queues, arrivals, watch, waiters, toServe);
    queues.ruledBy(ruled);
    poolWalk = new PoolWalk(queues, ruled);
    clients = new ClientStore(arena, config.waiterChunkShift());
    namespaces = new NamespaceStore(arena);
    docSets = new DocSetStore(arena, namespaces, config.taskChunkShift());
    docs = new DocStore(arena, namespaces, docSets, config.taskChunkShift());
    keyTree = new KeyTree(namespaces, docs);
    leases = new LeaseIndex(namespaces, docSets);
    effects = new Effects(tasks, taskView()::wrap, docView(), queues::name);
  }

  DocFlyweight docView() {
    return new DocFlyweight(docs, docSets, namespaces, claimants);
  }

  TaskFlyweight taskView() {
    return new TaskFlyweight(tasks, queues, claimants);
  }

  /** The digest of all content. */
  long contentDigest() {
    return digest.content() + policies.content() + ruled.content();
  }

  /** Approximate bytes of an image: fixed parts of items, plus blocks of values and texts. */
  long liveBytes() {
    return (long) tasks.size() * TaskImage.ITEM_BYTES
        + (long) tasks.shared().size() * SharedContents.ITEM_BYTES
        + (long) queues.size() * QueueImage.ITEM_BYTES
        + (long) docSets.size() * DocSetImage.ITEM_BYTES
        + (long) docs.size() * DocImage.ITEM_BYTES
        + (long) rememberedIds.size() * RememberedIds.ITEM_BYTES
        + (long) policies.size() * PolicyImage.POLICY_BYTES
        + (long) ruled.size() * PolicyImage.QUEUE_BYTES
        + (long) ruled.pools().size() * PoolImage.ITEM_BYTES
        + arena.usedBytes();
  }

  void thaw() {
    tasks.thaw();
    claimants.thaw();
    queues.thaw();
    waiters.thaw();
    policies.thaw();
    ruled.thaw();
    clients.thaw();
    docSets.thaw();
    docs.thaw();
    rememberedIds.thaw();
    arena.thaw();
  }

  void close() {
    tasks.close();
    claimants.close();
    ready.ranks().close();
    queues.close();
    claimsCounts.close();
    watch.close();
    expiries.closeAll();
    rememberedIds.closeAll();
    waiters.close();
    ruled.close();
    policies.close();
    poolWalk.close();
    clients.close();
    keyTree.close();
    docs.close();
    docSets.close();
    namespaces.close();
    arena.close();
  }

  long memoryBytes() {
    return arena.memoryBytes()
        + tasks.memoryBytes()
        + claimants.memoryBytes()
        + queues.memoryBytes()
        + ready.ranks().memoryBytes()
        + claimsCounts.memoryBytes()
        + expiries.memoryBytes()
        + rememberedIds.memoryBytes()
        + waiters.memoryBytes()
        + policies.memoryBytes()
        + ruled.memoryBytes()
        + clients.memoryBytes()
        + namespaces.memoryBytes()
        + docSets.memoryBytes()
        + docs.memoryBytes()
        + keyTree.memoryBytes();
  }
}
