package io.entroq.cluster.service;

import io.aeron.Publication;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes a state to where snapshots are recorded, in messages that are sent in one frame each, so
 * that nothing is copied but once into what the archive reads. Applying thread.
 */
final class SnapshotSender implements ChunkSink {
  private final Outlet outlet;
  private final IdleStrategy idle;
  private final SnapshotSource state;
  private final DirectBuffer holders;
  private final int holdersBytes;
  private final int pieceBytesMax;

  /** What goes before a part of a chunk: the message's header, and first the chunk's frame. */
  private final UnsafeBuffer head =
      new UnsafeBuffer(new byte[SnapshotFrame.HEADER_BYTES + ChunkFrame.HEADER_BYTES]);

  private final ChunkFrame frame = new ChunkFrame();
  private final Crc32c crc = new Crc32c();

  /** Over the frames of chunks and the heads of holders, each of which has the sum of its own. */
  private final Crc32c sums = new Crc32c();

  private final int stateTag;
  private final int logTag;
  private long chunks;
  private long bytes;

  /** Takes messages that consist of two parts. */
  @FunctionalInterface
  interface Outlet {
    /** Does and returns what {@link Publication#offer} does. */
    long offer(DirectBuffer head, int at, int headBytes, DirectBuffer rest, int offset, int length);
  }

  /**
   * One for one snapshot.
   *
   * @param messageBytesMax how large a message may be
   * @param holders who holds the callers, as {@link io.entroq.engine.replica.ClientHosts#write}
   *     says
   * @param holdersBytes how many bytes that has
   */
  SnapshotSender(
      Outlet outlet,
      int messageBytesMax,
      IdleStrategy idle,
      SnapshotSource state,
      DirectBuffer holders,
      int holdersBytes) {
    this.outlet = outlet;
    this.idle = idle;
    this.state = state;
    this.holders = holders;
    this.holdersBytes = holdersBytes;
    pieceBytesMax = messageBytesMax - head.capacity();
    stateTag = ChunkFrame.stateTag(state.historyDigest(), state.contentDigest());
    logTag = ChunkFrame.logTag(state.logIdLow());
  }

  void send() {
    SnapshotFrame.write(head, SnapshotFrame.BEGIN, SnapshotFrame.FORMAT, state.sequence());
    offer(SnapshotFrame.HEADER_BYTES, head, 0, 0);
    state.writeTo(this);
    for (int sent = 0; sent < holdersBytes; sent += pieceBytesMax) {
      int next = Math.min(pieceBytesMax, holdersBytes - sent);
      SnapshotFrame.write(head, SnapshotFrame.HOLDERS, crc.of(holders, sent, next), sent);
      sums.update(head, 0, SnapshotFrame.HEADER_BYTES);
      offer(SnapshotFrame.HEADER_BYTES, holders, sent, next);
    }
    SnapshotFrame.write(head, SnapshotFrame.END, sums.value(), bytes);
    offer(SnapshotFrame.HEADER_BYTES, head, 0, 0);
  }

  /** How many bytes of chunks there were. */
  long bytes() {
    return bytes;
  }

  @Override
  public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
    chunks++;
    frame.write(
        head,
        SnapshotFrame.HEADER_BYTES,
        kind,
        items,
        state.sequence(),
        chunks,
        stateTag,
        logTag,
        crc.of(buffer, offset, length),
        length);
    sums.update(head, SnapshotFrame.HEADER_BYTES, ChunkFrame.HEADER_BYTES);
    int sent = Math.min(pieceBytesMax, length);
    piece(ChunkFrame.HEADER_BYTES, buffer, offset, sent);
    while (sent < length) {
      int next = Math.min(pieceBytesMax, length - sent);
      piece(0, buffer, offset + sent, next);
      sent += next;
    }
  }

  private void piece(int frameBytes, DirectBuffer buffer, int offset, int length) {
    SnapshotFrame.write(head, SnapshotFrame.PIECE, 0, bytes);
    bytes += frameBytes + length;
    offer(SnapshotFrame.HEADER_BYTES + frameBytes, buffer, offset, length);
  }

  private void offer(int headBytes, DirectBuffer buffer, int offset, int length) {
    idle.reset();
    long result = outlet.offer(head, 0, headBytes, buffer, offset, length);
    while (result < 0) {
      if (result != Publication.BACK_PRESSURED && result != Publication.ADMIN_ACTION) {
        throw new SnapshotException(
            "the snapshot cannot be recorded: " + Publication.errorString(result));
      }
      idle.idle();
      result = outlet.offer(head, 0, headBytes, buffer, offset, length);
    }
  }
}
