package io.entroq.engine.state;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.doc.DocImage;
import io.entroq.engine.doc.DocSetImage;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.ItemImage;
import io.entroq.engine.policy.PolicyImage;
import io.entroq.engine.policy.PoolImage;
import io.entroq.engine.queue.QueueImage;
import io.entroq.engine.receipt.ClientImage;
import io.entroq.engine.task.ClaimantImage;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.task.SharedContents;
import io.entroq.engine.task.TaskImage;
import io.entroq.engine.waiter.WaiterImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The state as of the freeze. One thread writes it once, usually not the thread of the state
 * machine.
 */
public final class FrozenState implements SnapshotSource {

  private static final VarHandle PHASE;
  private static final int FROZEN = 0;
  private static final int WRITING = 1;
  private static final int RELEASED = 2;

  static {
    try {
      PHASE = MethodHandles.lookup().findVarHandle(FrozenState.class, "phase", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The records of a slab, and the items to write of each. */
  private record Part(FrozenSlab slab, List<ItemImage> images) {}

  private final ImageHead head;
  private final long liveBytes;
  private final Freeze freeze;

  /** By the number of each slab in the freeze. */
  private final Part[] parts;

  @SuppressWarnings("UnusedVariable")
  private volatile int phase;

  FrozenState(Stores stores, ImageHead head, long keptBytesMax) {
    this.head = head;
    this.liveBytes = stores.liveBytes();
    this.freeze = new Freeze(keptBytesMax);
    FrozenArena arena = stores.arena.freeze();
    ClientImage clients = new ClientImage(arena);
    PolicyImage policies = new PolicyImage(arena, head.policyEpoch());
    parts =
        new Part[] {
          new Part(stores.queues.freeze(freeze, 0), List.of(new QueueImage(arena))),
          new Part(stores.tasks.freeze(freeze, 1), List.of(new TaskImage(arena))),
          new Part(stores.claimants.freeze(freeze, 2), List.of(new ClaimantImage(arena))),
          new Part(stores.waiters.freezeWaiters(freeze, 3), List.of(WaiterImage::writeWaiter)),
          new Part(
              stores.waiters.freezeMemberships(freeze, 4), List.of(WaiterImage::writeMembership)),
          new Part(
              stores.clients.freeze(freeze, 5),
              List.of(ClientImage::writeClient, clients::writeReceipts)),
          new Part(stores.docSets.freeze(freeze, 6), List.of(new DocSetImage(arena))),
          new Part(stores.docs.freeze(freeze, 7), List.of(new DocImage(arena))),
          new Part(stores.rememberedIds.freeze(freeze, 8), List.of(RememberedIds::write)),
          new Part(stores.policies.freeze(freeze, 9), List.of(policies::writePolicy)),
          new Part(stores.ruled.freeze(freeze, 10), List.of(policies::writeQueue)),
          new Part(stores.tasks.shared().freeze(freeze, 11), List.of(SharedContents.image(arena))),
          new Part(stores.ruled.pools().freeze(freeze, 12), List.of(PoolImage::write)),
        };
  }

  @Override
  public long sequence() {
    return head.sequence();
  }

  @Override
  public long logTimeMs() {
    return head.logTimeMs();
  }

  @Override
  public int level() {
    return head.level();
  }

  @Override
  public long logIdHigh() {
    return head.logIdHigh();
  }

  @Override
  public long logIdLow() {
    return head.logIdLow();
  }

  @Override
  public long historyDigest() {
    return head.historyDigest();
  }

  @Override
  public long contentDigest() {
    return head.contentDigest();
  }

  @Override
  public long taskCount() {
    return head.tasks();
  }

  @Override
  public long queueCount() {
    return head.queues();
  }

  @Override
  public long liveBytes() {
    return liveBytes;
  }

  /** Bytes of copies that the engine has made and that are still to be written. */
  long keptBytes() {
    return freeze.keptBytes();
  }

  /**
   * Writes the image once, then releases the state, even if writing fails.
   *
   * @param sink takes the chunks, on the calling thread; its exceptions pass through
   */
  @Override
  public void writeTo(ChunkSink sink) {
    if (!PHASE.compareAndSet(this, FROZEN, WRITING)) {
      throw new IllegalStateException("a frozen state is written once, and not after its release");
    }
    try {
      ChunkWriter out = new ChunkWriter(sink);
      try {
        write(out);
      } finally {
        out.close();
      }
    } finally {
      // Also after an exception: the engine may be waiting.
      end();
    }
  }

  private void write(ChunkWriter out) {
    head.write(out);
    for (Part part : parts) {
      writePart(part, out);
    }
    writeEnd(out);
  }

  private void writePart(Part part, ChunkWriter out) {
    for (int chunk = 0; chunk < part.slab.chunkCount(); chunk++) {
      writeWanted(out);
      if (!part.slab.isDone(chunk)) {
        writeChunk(part, chunk, out);
      }
    }
  }

  /** Writes first the chunk that the engine waits for because it has used up its copies. */
  private void writeWanted(ChunkWriter out) {
    int wanted = freeze.wantedSlab();
    if (wanted >= 0) {
      int chunk = parts[wanted].slab.wantedChunk();
      if (chunk >= 0) {
        writeChunk(parts[wanted], chunk, out);
      }
    }
  }

  private static void writeChunk(Part part, int chunk, ChunkWriter out) {
    FrozenSlab slab = part.slab;
    long first = slab.take(chunk);
    int slot = slab.firstSlot(chunk);
    int count = slab.recordCount(chunk);
    for (ItemImage image : part.images) {
      for (int i = 0; i < count; i++) {
        long record = first + (long) i * slab.recordBytes();
        if (slab.isLive(record)) {
          image.write(slot + i, record, out);
        }
      }
    }
  }

  /** A list of the kinds that have items, with their numbers. */
  private static void writeEnd(ChunkWriter out) {
    int kinds = 0;
    for (int kind = ChunkKinds.HEAD + 1; kind <= ChunkKinds.MAX; kind++) {
      kinds += out.count(kind) > 0 ? 1 : 0;
    }
    int bytes = kinds * (Integer.BYTES + Long.BYTES);
    out.begin(ChunkKinds.END, Integer.BYTES + bytes);
    out.putInt(bytes);
    for (int kind = ChunkKinds.HEAD + 1; kind <= ChunkKinds.MAX; kind++) {
      if (kind != ChunkKinds.END && out.count(kind) > 0) {
        out.putInt(kind);
        out.putLong(out.count(kind));
      }
    }
    out.flush();
  }

  /** Releases a state that is not going to be written; does nothing if it was. */
  public void release() {
    if (PHASE.compareAndSet(this, FROZEN, WRITING)) {
      end();
    } else if (!isReleased()) {
      throw new IllegalStateException("the state is still being written");
    }
  }

  private void end() {
    freeze.end();
    for (Part part : parts) {
      part.slab.release();
    }
    phase = RELEASED;
  }

  /** Whether it may be thawed. Any thread. */
  public boolean isReleased() {
    return phase == RELEASED;
  }
}
