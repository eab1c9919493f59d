package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.engine.log.DataFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the state file and passes on each chunk once it is verified; the last one once the totals
 * are, too.
 *
 * <p>The file is not mapped: if a mapped file shrinks, the process crashes.
 */
final class StateFileReader implements AutoCloseable {
  private final Path file;
  private final Manifest manifest;
  private final int logTag;
  private final int stateTag;
  private final FileChannel channel;
  private final ChunkFrame frame = new ChunkFrame();
  private final CRC32C payloadCrc = new CRC32C();
  private final CRC32C headersCrc = new CRC32C();
  private ByteBuffer bytes;
  private UnsafeBuffer buffer;

  /** Offset of the current chunk in the file. */
  private long offset;

  private long chunks;

  StateFileReader(Path file, Manifest manifest) throws IOException {
    this.file = file;
    this.manifest = manifest;
    this.logTag = manifest.logTag();
    this.stateTag = manifest.stateTag();
    this.channel = DataFile.openToRead(file);
    int capacity = (int) Math.min(StateFileWriter.BUFFER_BYTES, manifest.stateBytes());
    this.bytes = ByteBuffer.allocateDirect(capacity).limit(0);
    this.buffer = new UnsafeBuffer(bytes);
  }

  /** How many bytes of a file that may be incomplete are whole and good chunks. */
  static long goodBytes(Path file, Manifest manifest) throws IOException {
    try (StateFileReader reader = new StateFileReader(file, manifest)) {
      try {
        reader.readChunks((kind, items, buffer, offset, length) -> {});
      } catch (SnapshotDamagedException e) {
        // The rest is missing, or bad.
      }
      return reader.offset;
    }
  }

  void readAll(ChunkSink to) throws IOException {
    requireLength(channel.size());
    readChunks(to);
  }

  private void readChunks(ChunkSink to) throws IOException {
    while (offset < manifest.stateBytes()) {
      fill(ChunkFrame.HEADER_BYTES);
      requireHeader();
      int length = ChunkFrame.HEADER_BYTES + frame.payloadLength();
      fill(length);
      requirePayload();
      headersCrc.update(bytes.slice(bytes.position(), ChunkFrame.SUMMED_BYTES));
      chunks++;
      if (offset + length == manifest.stateBytes()) {
        requireTotals();
      }
      int payload = bytes.position() + ChunkFrame.HEADER_BYTES;
      to.onChunk(frame.kind(), frame.items(), buffer, payload, frame.payloadLength());
      bytes.position(bytes.position() + length);
      offset += length;
    }
    if (chunks == 0) {
      requireTotals();
    }
  }

  private void requireLength(long size) {
    if (size != manifest.stateBytes()) {
      throw damaged(
          Math.min(size, manifest.stateBytes()),
          "the file has %d bytes, but the manifest says %d".formatted(size, manifest.stateBytes()));
    }
  }

  private void requireHeader() {
    String fault = frame.faultOf(buffer, bytes.position());
    if (!fault.isEmpty()) {
      throw damaged(offset, "%s (chunk %d)".formatted(fault, chunks + 1));
    }
    if (frame.format() != manifest.format()) {
      throw damaged(
          offset,
          "chunk %d has format %d, and the manifest says %d"
              .formatted(chunks + 1, frame.format(), manifest.format()));
    }
    if (frame.number() != chunks + 1) {
      throw damaged(
          offset, "found chunk %d in place of chunk %d".formatted(frame.number(), chunks + 1));
    }
    if (frame.sequence() != manifest.sequence()
        || frame.logTag() != logTag
        || frame.stateTag() != stateTag) {
      throw damaged(
          offset,
          "chunk %d belongs to another snapshot: record %d, log %08x, state %08x, not %d, %08x, %08x"
              .formatted(
                  frame.number(),
                  frame.sequence(),
                  frame.logTag(),
                  frame.stateTag(),
                  manifest.sequence(),
                  logTag,
                  stateTag));
    }
  }

  private void requirePayload() {
    payloadCrc.reset();
    payloadCrc.update(
        bytes.slice(bytes.position() + ChunkFrame.HEADER_BYTES, frame.payloadLength()));
    if ((int) payloadCrc.getValue() != frame.payloadCrc()) {
      throw damaged(
          offset,
          "checksum of the payload (%d bytes of chunk %d) does not match"
              .formatted(frame.payloadLength(), frame.number()));
    }
  }

  private void requireTotals() {
    if (chunks != manifest.chunks() || (int) headersCrc.getValue() != manifest.stateCrc()) {
      throw damaged(
          offset,
          "it ends after %d chunks with checksum %08x, but the manifest says %d and %08x"
              .formatted(
                  chunks, (int) headersCrc.getValue(), manifest.chunks(), manifest.stateCrc()));
    }
  }

  /** Reads until {@code length} bytes from {@link #offset} on are in the buffer. */
  private void fill(int length) throws IOException {
    if (offset + length > manifest.stateBytes()) {
      throw damaged(
          offset,
          "%d bytes are left, but chunk %d has %d"
              .formatted(manifest.stateBytes() - offset, chunks + 1, length));
    }
    if (bytes.remaining() >= length) {
      return;
    }
    makeRoom(length);
    while (bytes.position() < length) {
      if (channel.read(bytes) < 0) {
        throw damaged(offset, "the file ends in the middle of chunk %d".formatted(chunks + 1));
      }
    }
    bytes.flip();
  }

  /** Moves what is left to the front of the buffer, or of a larger one if it is too small. */
  private void makeRoom(int length) {
    if (length <= bytes.capacity()) {
      bytes.compact();
      return;
    }
    ByteBuffer larger = ByteBuffer.allocateDirect(length).put(bytes);
    BufferUtil.free(bytes);
    bytes = larger;
    buffer = new UnsafeBuffer(bytes);
  }

  private SnapshotDamagedException damaged(long at, String what) {
    return new SnapshotDamagedException(file, at, what);
  }

  @Override
  public void close() throws IOException {
    BufferUtil.free(bytes);
    channel.close();
  }
}
