package io.entroq.cluster.service;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes a state to where snapshots are recorded, in messages that fit. Applying thread. */
final class SnapshotSender implements ChunkSink {
  private static final int PIECE_BYTES_MAX = 256 << 10;

  private final ExclusivePublication publication;
  private final IdleStrategy idle;
  private final SnapshotSource state;
  private final int pieceBytesMax;
  private final UnsafeBuffer message;
  private final ExpandableArrayBuffer chunk = new ExpandableArrayBuffer();
  private final ChunkFrame frame = new ChunkFrame();
  private final Crc32c crc = new Crc32c();
  private final CRC32C sum = new CRC32C();
  private final int stateTag;
  private final int logTag;
  private long chunks;
  private long bytes;

  SnapshotSender(ExclusivePublication publication, IdleStrategy idle, SnapshotSource state) {
    this.publication = publication;
    this.idle = idle;
    this.state = state;
    pieceBytesMax =
        Math.min(PIECE_BYTES_MAX, publication.maxMessageLength() - SnapshotFrame.HEADER_BYTES);
    message = new UnsafeBuffer(new byte[SnapshotFrame.HEADER_BYTES + pieceBytesMax]);
    stateTag = ChunkFrame.stateTag(state.historyDigest(), state.contentDigest());
    logTag = ChunkFrame.logTag(state.logIdLow());
  }

  void send() {
    SnapshotFrame.write(message, SnapshotFrame.BEGIN, SnapshotFrame.FORMAT, state.sequence());
    offer(SnapshotFrame.HEADER_BYTES);
    state.writeTo(this);
    SnapshotFrame.write(message, SnapshotFrame.END, (int) sum.getValue(), bytes);
    offer(SnapshotFrame.HEADER_BYTES);
  }

  /** How many bytes of chunks there were. */
  long bytes() {
    return bytes;
  }

  @Override
  public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
    chunks++;
    frame.write(
        chunk,
        0,
        kind,
        items,
        state.sequence(),
        chunks,
        stateTag,
        logTag,
        crc.of(buffer, offset, length),
        length);
    chunk.putBytes(ChunkFrame.HEADER_BYTES, buffer, offset, length);
    int total = ChunkFrame.HEADER_BYTES + length;
    for (int sent = 0; sent < total; sent += pieceBytesMax) {
      sendPiece(sent, Math.min(pieceBytesMax, total - sent));
    }
  }

  private void sendPiece(int from, int length) {
    SnapshotFrame.write(message, SnapshotFrame.PIECE, 0, bytes);
    message.putBytes(SnapshotFrame.HEADER_BYTES, chunk, from, length);
    sum.update(message.byteArray(), SnapshotFrame.HEADER_BYTES, length);
    bytes += length;
    offer(SnapshotFrame.HEADER_BYTES + length);
  }

  private void offer(int length) {
    idle.reset();
    long result = publication.offer(message, 0, length);
    while (result < 0) {
      if (result != Publication.BACK_PRESSURED && result != Publication.ADMIN_ACTION) {
        throw new SnapshotException(
            "the snapshot cannot be recorded: " + Publication.errorString(result));
      }
      idle.idle();
      result = publication.offer(message, 0, length);
    }
  }
}
