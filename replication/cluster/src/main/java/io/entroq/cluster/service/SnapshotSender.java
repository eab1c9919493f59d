package io.entroq.cluster.service;

import io.aeron.Publication;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.state.Levels;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends a state, or a reference to its image, to the archive, in messages of one frame each, so
 * that each byte is copied only once. Applying thread.
 */
final class SnapshotSender implements ChunkSink {
  private final Output output;
  private final IdleStrategy idle;
  private final SnapshotSource state;
  private final DirectBuffer hosts;
  private final int hostsBytes;
  private final int pieceBytesMax;

  /** Precedes a piece: the message header and, before a chunk's first piece, the chunk's frame. */
  private final UnsafeBuffer head =
      new UnsafeBuffer(new byte[SnapshotFrame.HEADER_BYTES + ChunkFrame.HEADER_BYTES]);

  private final ChunkFrame frame = new ChunkFrame();
  private final Crc32c crc = new Crc32c();

  /** Over the frames of chunks and the headers of other pieces, which contain their checksums. */
  private final Crc32c totalCrc = new Crc32c();

  private final int stateTag;
  private final int logTag;
  private long chunks;
  private long bytes;

  /** Sends messages of two parts. */
  @FunctionalInterface
  interface Output {
    /** Like {@link Publication#offer}. */
    long offer(DirectBuffer head, int at, int headBytes, DirectBuffer rest, int offset, int length);
  }

  /**
   * @param messageBytesMax longest message
   * @param hosts written by {@link io.entroq.engine.replica.ClientHosts#write}
   * @param hostsBytes length of {@code hosts}
   */
  SnapshotSender(
      Output output,
      int messageBytesMax,
      IdleStrategy idle,
      SnapshotSource state,
      DirectBuffer hosts,
      int hostsBytes) {
    this.output = output;
    this.idle = idle;
    this.state = state;
    this.hosts = hosts;
    this.hostsBytes = hostsBytes;
    pieceBytesMax = messageBytesMax - head.capacity();
    stateTag = ChunkFrame.stateTag(state.historyDigest(), state.contentDigest());
    logTag = ChunkFrame.logTag(state.logIdLow());
  }

  /** Sends the whole state. */
  void send() {
    begin(SnapshotFrame.FORMAT);
    state.writeTo(this);
    end();
  }

  /** Sends only what identifies the state's image; the state may be read elsewhere meanwhile. */
  void refer() {
    begin(SnapshotFrame.REFERENCE_FORMAT);
    UnsafeBuffer reference = new UnsafeBuffer(Manifest.headOf(state));
    sendChecked(SnapshotFrame.REFERENCE, reference, 0, reference.capacity());
    end();
  }

  private void begin(int format) {
    SnapshotFrame.write(head, SnapshotFrame.BEGIN, format, state.sequence());
    offer(SnapshotFrame.HEADER_BYTES, head, 0, 0);
  }

  private void end() {
    for (int sent = 0; sent < hostsBytes; sent += pieceBytesMax) {
      int next = Math.min(pieceBytesMax, hostsBytes - sent);
      sendChecked(SnapshotFrame.HOSTS, hosts, sent, next);
    }
    SnapshotFrame.write(head, SnapshotFrame.END, totalCrc.value(), bytes);
    offer(SnapshotFrame.HEADER_BYTES, head, 0, 0);
  }

  private void sendChecked(int kind, DirectBuffer buffer, int offset, int length) {
    SnapshotFrame.write(head, kind, crc.of(buffer, offset, length), offset);
    totalCrc.update(head, 0, SnapshotFrame.HEADER_BYTES);
    offer(SnapshotFrame.HEADER_BYTES, buffer, offset, length);
  }

  /** Bytes of all chunks. */
  long bytes() {
    return bytes;
  }

  @Override
  public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
    chunks++;
    frame.write(
        head,
        SnapshotFrame.HEADER_BYTES,
        Levels.format(state.level()),
        kind,
        items,
        state.sequence(),
        chunks,
        stateTag,
        logTag,
        crc.of(buffer, offset, length),
        length);
    totalCrc.update(head, SnapshotFrame.HEADER_BYTES, ChunkFrame.HEADER_BYTES);
    int sent = Math.min(pieceBytesMax, length);
    sendPiece(ChunkFrame.HEADER_BYTES, buffer, offset, sent);
    while (sent < length) {
      int next = Math.min(pieceBytesMax, length - sent);
      sendPiece(0, buffer, offset + sent, next);
      sent += next;
    }
  }

  private void sendPiece(int frameBytes, DirectBuffer buffer, int offset, int length) {
    SnapshotFrame.write(head, SnapshotFrame.PIECE, 0, bytes);
    bytes += frameBytes + length;
    offer(SnapshotFrame.HEADER_BYTES + frameBytes, buffer, offset, length);
  }

  private void offer(int headBytes, DirectBuffer buffer, int offset, int length) {
    idle.reset();
    long result = output.offer(head, 0, headBytes, buffer, offset, length);
    while (result < 0) {
      if (result != Publication.BACK_PRESSURED && result != Publication.ADMIN_ACTION) {
        throw new SnapshotException(
            "the snapshot cannot be recorded: " + Publication.errorString(result));
      }
      idle.idle();
      result = output.offer(head, 0, headBytes, buffer, offset, length);
    }
  }
}
