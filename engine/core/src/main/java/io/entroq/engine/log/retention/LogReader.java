package io.entroq.engine.log.retention;

import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * A registered reader, for which the log is kept from {@link LogReaders#register} until it is
 * closed or its process ends. Thread-safe.
 */
public final class LogReader implements AutoCloseable {
  /** Sequence and checksum, because another process may read the file during a write. */
  static final int FILE_BYTES = 20 + 1 + 8 + 1;

  private final LogReaders readers;
  private final Path file;
  private final FileChannel channel;
  private volatile long sequence;

  LogReader(LogReaders readers, Path file, FileChannel channel, long sequence) throws IOException {
    this.readers = readers;
    this.file = file;
    this.channel = channel;
    this.sequence = sequence;
    write();
  }

  /** The first record still needed. */
  public long sequence() {
    return sequence;
  }

  /**
   * Releases the records before this one. Costs a small write to a file.
   *
   * @param next the first record still needed; ignored if below the last one given
   * @throws LogException if the file cannot be written
   */
  public synchronized void advance(long next) {
    if (next <= sequence) {
      return;
    }
    sequence = next;
    try {
      write();
    } catch (IOException e) {
      throw LogException.error("Cannot write the position of a reader to " + file + ": " + e, e);
    }
  }

  private void write() throws IOException {
    channel.write(ByteBuffer.wrap(encode(sequence).getBytes(StandardCharsets.US_ASCII)), 0);
  }

  static String encode(long sequence) {
    String number = String.format(Locale.ROOT, "%020d", sequence);
    CRC32C crc = new CRC32C();
    crc.update(number.getBytes(StandardCharsets.US_ASCII));
    return "%s %08x\n".formatted(number, crc.getValue());
  }

  /** Parses what another process has written; 0, which is before every record, if invalid. */
  static long decode(String text) {
    try {
      long sequence = Long.parseLong(text.substring(0, Math.min(20, text.length())));
      return encode(sequence).equals(text) ? sequence : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  Path file() {
    return file;
  }

  FileChannel channel() {
    return channel;
  }

  /** Unregisters the reader. Idempotent. */
  @Override
  public void close() {
    readers.remove(this);
  }
}
