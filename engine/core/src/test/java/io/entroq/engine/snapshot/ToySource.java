package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A state of chunks that mean nothing. */
record ToySource(long sequence, long contentDigest, List<Chunk> chunks) implements SnapshotSource {

  record Chunk(int kind, int items, List<Byte> payload) {
    static Chunk of(int kind, int items, byte[] bytes, int offset, int length) {
      List<Byte> payload = new ArrayList<>(length);
      for (int i = 0; i < length; i++) {
        payload.add(bytes[offset + i]);
      }
      return new Chunk(kind, items, payload);
    }

    byte[] bytes() {
      byte[] bytes = new byte[payload.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = payload.get(i);
      }
      return bytes;
    }
  }

  /** Four chunks that are the same for ever. */
  static ToySource small(long sequence) {
    return of(sequence, sequence * 31, 1, new int[] {5, 0, 17, 3});
  }

  static ToySource of(long sequence, long contentDigest, long seed, int[] lengths) {
    Random random = new Random(seed);
    List<Chunk> chunks = new ArrayList<>();
    for (int length : lengths) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      chunks.add(Chunk.of(1 + chunks.size() % 255, random.nextInt(9), bytes, 0, length));
    }
    return new ToySource(sequence, contentDigest, chunks);
  }

  @Override
  public long logTimeMs() {
    return 1_790_000_000_000L;
  }

  @Override
  public int level() {
    return 7;
  }

  @Override
  public long logIdHigh() {
    return 0x0123456789abcdefL;
  }

  @Override
  public long logIdLow() {
    return 0xfedcba9876543210L;
  }

  @Override
  public long historyDigest() {
    return 0x1111222233334444L;
  }

  @Override
  public long taskCount() {
    return 12;
  }

  @Override
  public long queueCount() {
    return 3;
  }

  @Override
  public long liveBytes() {
    return 1_000;
  }

  @Override
  public void writeTo(ChunkSink sink) {
    for (Chunk chunk : chunks) {
      UnsafeBuffer payload = new UnsafeBuffer(chunk.bytes());
      sink.onChunk(chunk.kind(), chunk.items(), payload, 0, payload.capacity());
    }
  }

  /** Keeps what it is handed. */
  static final class Collector implements ChunkSink {
    private final List<Chunk> chunks = new ArrayList<>();

    @Override
    public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
      byte[] bytes = new byte[length];
      buffer.getBytes(offset, bytes);
      chunks.add(Chunk.of(kind, items, bytes, 0, length));
    }

    List<Chunk> chunks() {
      return chunks;
    }
  }
}
