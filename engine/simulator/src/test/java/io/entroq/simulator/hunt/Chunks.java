package io.entroq.simulator.hunt;

import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An image of a state, kept on the heap. */
final class Chunks implements ChunkSink {
  /** One chunk. */
  record Chunk(int kind, int items, UnsafeBuffer bytes) {}

  private final List<Chunk> chunks = new ArrayList<>();

  @Override
  public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    chunks.add(new Chunk(kind, items, new UnsafeBuffer(bytes)));
  }

  List<Chunk> chunks() {
    return chunks;
  }

  StateMachine load(StateMachineConfig config) {
    StateLoader loader = new StateLoader(config);
    for (Chunk chunk : chunks) {
      loader.onChunk(chunk.kind(), chunk.items(), chunk.bytes(), 0, chunk.bytes().capacity());
    }
    return loader.finish();
  }
}
