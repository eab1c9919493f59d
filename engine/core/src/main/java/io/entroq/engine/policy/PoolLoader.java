package io.entroq.engine.policy;

import io.entroq.codec.message.Fairs;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import io.entroq.engine.queue.QueueStore;
import org.agrona.collections.IntArrayList;

/**
 * Loads the nodes of pools: {@link #load} for each item; {@link #link} after what queues have by
 * policies; {@link #place} after parked claims.
 */
public final class PoolLoader {

  /** The fields of eight bytes of an item. */
  static final int[] FIELDS = {
    PoolNodes.KEY,
    PoolNodes.VIRTUAL_TIME,
    PoolNodes.OPENS,
    PoolNodes.POOL_TIME,
    PoolNodes.TAT,
    PoolNodes.INTERVAL,
    PoolNodes.TOLERANCE,
    PoolNodes.PAUSED_UNTIL
  };

  private static final int WEIGHT_MAX = 1024;

  private final RuledQueues ruled;
  private final QueueStore queues;
  private final PoolNodes nodes;
  private final SlotMap slots = new SlotMap("node of a pool");

  /** The new slot of each node, its parent's slot in the image, and its queue's. */
  private final IntArrayList links = new IntArrayList();

  public PoolLoader(RuledQueues ruled, QueueStore queues) {
    this.ruled = ruled;
    this.queues = queues;
    this.nodes = ruled.pools().nodes();
  }

  /** Adds the node of an item, which belongs to no queue and no pool yet. */
  public void load(ChunkReader in) {
    int old = in.getInt();
    int queue = in.getInt();
    int parent = in.getInt();
    int flags = in.getInt();
    in.require((flags & ~(PoolNodes.IS_POOL | PoolNodes.IS_OPEN)) == 0, "marks of a node", flags);
    int node = nodes.restore();
    slots.add(old, node);
    links.addInt(node);
    links.addInt(parent);
    links.addInt(queue);
    nodes.slab.putInt(node, PoolNodes.FLAGS, flags);
    int weight = in.getInt();
    in.require(weight > 0 && weight <= WEIGHT_MAX, "weight", weight);
    nodes.slab.putInt(node, PoolNodes.WEIGHT, weight);
    nodes.slab.putLong(node, PoolNodes.QUANTUM, PoolNodes.quantum(weight));
    nodes.slab.putInt(node, PoolNodes.RANK, in.getInt());
    int fair = in.getInt();
    in.require(fair >= Fairs.NONE && fair <= Fairs.STRICT_RANK, "order of a pool", fair);
    nodes.slab.putInt(node, PoolNodes.FAIR, fair);
    nodes.slab.putInt(node, PoolNodes.IN_FLIGHT_MAX, in.getInt());
    for (int field : FIELDS) {
      nodes.slab.putLong(node, field, in.getLong());
    }
  }

  /** Gives the nodes to their queues and pools. */
  public void link(SlotMap queuesOfImage) {
    for (int i = 0; i < links.size(); i += 3) {
      int queue = queuesOfImage.get(links.getInt(i + 2));
      if (queues.rules(queue) == Slab.NONE
          || !ruled.placement().restoreNode(queue, links.getInt(i))) {
        throw new ImageException("a node of a pool belongs to a queue that has one, or no rules");
      }
    }
    for (int i = 0; i < links.size(); i += 3) {
      join(links.getInt(i), slots.link(links.getInt(i + 1)));
    }
    for (int i = 0; i < links.size(); i += 3) {
      nodes.restored(links.getInt(i));
    }
  }

  private void join(int node, int parent) {
    int levels = 0;
    for (int at = parent; at != Slab.NONE; at = nodes.parent(at)) {
      if (!nodes.isPool(at) || at == node || ++levels > Pools.LEVELS) {
        throw new ImageException("a node of a pool is below itself, or below none");
      }
    }
    ruled.placement().restoreParent(node, parent);
  }

  /** Puts the nodes where they were. */
  public void place(long nowMs) {
    ruled.pools().restore(nowMs);
  }
}
