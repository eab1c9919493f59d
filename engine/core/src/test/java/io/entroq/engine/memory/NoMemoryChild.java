package io.entroq.engine.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A process of which a test has limited the memory outside the heap to a few MiB. */
final class NoMemoryChild {
  private static final int SHIFT = 8;
  private static final int RECORD_BYTES = 1 << 10;
  private static final int LIVE = 8;

  private NoMemoryChild() {}

  /** Changes a frozen record when there is no memory left for a copy of its chunk. */
  public static void main(String[] args) throws InterruptedException {
    Slab slab = new Slab(RECORD_BYTES, SHIFT, LIVE);
    for (int i = 0; i < 2 << SHIFT; i++) {
      slab.putLong(slab.allocate(), LIVE, 1);
    }
    Freeze freeze = new Freeze(1L << 30);
    FrozenSlab frozen = slab.freeze(freeze, 0);
    frozen.take(0);
    List<ByteBuffer> all = useUpMemory();
    Thread writer = new Thread(() -> takeWanted(frozen));
    writer.setDaemon(true);
    writer.start();
    slab.putLong(1 << SHIFT, LIVE, 2);
    writer.join();
    System.out.println(
        "went on with " + slab.getLong(1 << SHIFT, LIVE) + ", kept " + freeze.keptBytes());
    System.exit(all.isEmpty() ? 1 : 0);
  }

  private static List<ByteBuffer> useUpMemory() {
    List<ByteBuffer> all = new ArrayList<>();
    try {
      while (true) {
        all.add(ByteBuffer.allocateDirect(64 << 10));
      }
    } catch (OutOfMemoryError e) {
      return all;
    }
  }

  private static void takeWanted(FrozenSlab frozen) {
    while (frozen.wantedChunk() != 1) {
      Thread.onSpinWait();
    }
    frozen.take(1);
  }
}
