package io.entroq.engine.state;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.doc.DocImage;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.ItemImage;
import io.entroq.engine.queue.QueueImage;
import io.entroq.engine.receipt.ClientImage;
import io.entroq.engine.task.ClaimantImage;
import io.entroq.engine.task.TaskImage;
import io.entroq.engine.waiter.WaiterImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The state as it was when it was frozen: one thread, which need not be that of the machine, writes
 * it down once.
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

  /** The records of a slab, and as which items they are written. */
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
          new Part(stores.docs.freeze(freeze, 6), List.of(new DocImage(arena))),
        };
  }

  /** The sequence of the last record whose effects it holds. */
  @Override
  public long sequence() {
    return head.sequence();
  }

  /** The log time of that record. */
  @Override
  public long logTimeMs() {
    return head.logTimeMs();
  }

  /** The behaviour level. */
  @Override
  public int level() {
    return head.level();
  }

  /** Upper half of the id of the log. */
  @Override
  public long logIdHigh() {
    return head.logIdHigh();
  }

  /** Lower half of the id of the log. */
  @Override
  public long logIdLow() {
    return head.logIdLow();
  }

  /** A chain over all that happened. */
  @Override
  public long historyDigest() {
    return head.historyDigest();
  }

  /** A sum over all that there is. */
  @Override
  public long contentDigest() {
    return head.contentDigest();
  }

  /** Number of tasks. */
  @Override
  public long taskCount() {
    return head.tasks();
  }

  /** Number of queues, those included on which only parked claims wait. */
  @Override
  public long queueCount() {
    return head.queues();
  }

  /** About how many bytes its image takes. */
  @Override
  public long liveBytes() {
    return liveBytes;
  }

  /** Bytes of copies that the engine has made and that are not written yet. */
  long keptBytes() {
    return freeze.keptBytes();
  }

  /**
   * Writes the image and releases the state, whatever becomes of it. To be called once.
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
      // Whatever has happened: the engine may be waiting.
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

  /** The engine has used up its copies and waits for one chunk: that one goes first. */
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

  private static void writeEnd(ChunkWriter out) {
    out.begin(ChunkKinds.END, (ChunkKinds.DOCS - ChunkKinds.HEAD) * Long.BYTES);
    for (int kind = ChunkKinds.HEAD + 1; kind <= ChunkKinds.DOCS; kind++) {
      out.putLong(out.count(kind));
    }
    out.flush();
  }

  /** Nobody is going to write the state, or has been. */
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

  /** Whether nobody needs it any more. Any thread. */
  public boolean isReleased() {
    return phase == RELEASED;
  }
}
