package io.entroq.simulator.random;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An image of a state, kept on the heap. */
final class Chunks implements ChunkSink {
  /** One chunk. */
  record Chunk(int kind, int items, UnsafeBuffer bytes) {}

  private static final int CONTENT_DIGEST_OFFSET = 60;

  private final List<Chunk> chunks;

  Chunks() {
    this(new ArrayList<>());
  }

  Chunks(List<Chunk> chunks) {
    this.chunks = chunks;
  }

  @Override
  public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    chunks.add(new Chunk(kind, items, new UnsafeBuffer(bytes)));
  }

  List<Chunk> chunks() {
    return chunks;
  }

  /** The same image, its head with another digest of the content. */
  Chunks withContentDigest(long digest) {
    List<Chunk> changed = new ArrayList<>();
    for (Chunk chunk : chunks) {
      UnsafeBuffer bytes = new UnsafeBuffer(new byte[chunk.bytes().capacity()]);
      bytes.putBytes(0, chunk.bytes(), 0, bytes.capacity());
      if (chunk.kind() == ChunkKinds.HEAD) {
        bytes.putLong(CONTENT_DIGEST_OFFSET, digest, ByteOrder.LITTLE_ENDIAN);
      }
      changed.add(new Chunk(chunk.kind(), chunk.items(), bytes));
    }
    return new Chunks(changed);
  }

  StateMachine load(StateMachineConfig config) {
    StateLoader loader = new StateLoader(config);
    try {
      for (Chunk chunk : chunks) {
        loader.onChunk(chunk.kind(), chunk.items(), chunk.bytes(), 0, chunk.bytes().capacity());
      }
      return loader.finish();
    } finally {
      loader.close();
    }
  }
}
