package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.state.Levels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the state file: frames chunks, writes many at once, and forces the file as it grows. */
final class StateFileWriter implements ChunkSink, AutoCloseable {
  static final int BUFFER_BYTES = 2 << 20;

  /**
   * The file is forced each time this many bytes have been written. One force of gigabytes at the
   * end would delay every force of the log.
   */
  static final int UNFORCED_BYTES_MAX = 64 << 20;

  private final SnapshotFiles files;
  private final Path file;
  private final FileChannel channel;
  private final LongConsumer progress;
  private final int format;
  private final long sequence;
  private final int logTag;
  private final int stateTag;
  private final ChunkFrame frame = new ChunkFrame();
  private final CRC32C payloadCrc = new CRC32C();
  private final CRC32C headersCrc = new CRC32C();
  private ByteBuffer bytes;
  private UnsafeBuffer buffer;
  private long chunks;
  private long written;
  private long forced;

  /**
   * @param progress called with the length of the file each time it has grown; may throw to stop
   */
  StateFileWriter(SnapshotFiles files, Path file, SnapshotSource source, LongConsumer progress)
      throws IOException {
    this.files = files;
    this.file = file;
    this.progress = progress;
    this.format = Levels.format(source.level());
    this.sequence = source.sequence();
    this.logTag = ChunkFrame.logTag(source.logIdLow());
    this.stateTag = ChunkFrame.stateTag(source.historyDigest(), source.contentDigest());
    this.channel = files.create(file);
    this.bytes = ByteBuffer.allocateDirect(BUFFER_BYTES);
    this.buffer = new UnsafeBuffer(bytes);
  }

  @Override
  public void onChunk(int kind, int items, DirectBuffer from, int offset, int length) {
    ChunkFrame.requireWritable(kind, items, length);
    try {
      makeRoom(ChunkFrame.HEADER_BYTES + length);
      append(kind, items, from, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void makeRoom(int length) throws IOException {
    if (length <= bytes.remaining()) {
      return;
    }
    flush();
    if (length > bytes.capacity()) {
      ByteBuffer larger = ByteBuffer.allocateDirect(length);
      BufferUtil.free(bytes);
      bytes = larger;
      buffer = new UnsafeBuffer(bytes);
    }
  }

  private void append(int kind, int items, DirectBuffer from, int offset, int length) {
    int header = bytes.position();
    int payload = header + ChunkFrame.HEADER_BYTES;
    buffer.putBytes(payload, from, offset, length);
    int sum = crcOf(payloadCrc, payload, length);
    chunks++;
    frame.write(
        buffer, header, format, kind, items, sequence, chunks, stateTag, logTag, sum, length);
    headersCrc.update(bytes.slice(header, ChunkFrame.SUMMED_BYTES));
    bytes.position(payload + length);
  }

  private int crcOf(CRC32C crc, int offset, int length) {
    crc.reset();
    crc.update(bytes.slice(offset, length));
    return (int) crc.getValue();
  }

  private void flush() throws IOException {
    bytes.flip();
    written += bytes.remaining();
    files.write(channel, bytes);
    bytes.clear();
    progress.accept(written);
    if (written - forced >= UNFORCED_BYTES_MAX) {
      force();
    }
  }

  private void force() throws IOException {
    files.force(file, channel);
    forced = written;
  }

  /** Writes what is left and forces the file. */
  void finish() throws IOException {
    flush();
    force();
  }

  long chunks() {
    return chunks;
  }

  /** Length of the file, in bytes. */
  long written() {
    return written;
  }

  /** The checksum over the headers of all chunks. */
  int headersCrc() {
    return (int) headersCrc.getValue();
  }

  @Override
  public void close() throws IOException {
    BufferUtil.free(bytes);
    channel.close();
  }
}
