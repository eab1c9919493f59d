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
 * A reader that the log is kept for, from {@link LogReaders#register} until it is closed or its
 * process ends. Any thread.
 */
public final class LogReader implements AutoCloseable {
  /** Sequence and checksum: of a file that is written while another process reads it. */
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

  /** The first record that it still needs. */
  public long sequence() {
    return sequence;
  }

  /**
   * Says that the records before this one are not needed any more. Costs a small write to a file.
   *
   * @param next the first record still needed; one before what was said last changes nothing
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
      throw LogException.error("Cannot write the place of a reader to " + file + ": " + e, e);
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

  /** What another process has written; 0, which is before every record, if that makes no sense. */
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

  /** The log is not kept for it any more. A second call does nothing. */
  @Override
  public void close() {
    readers.remove(this);
  }
}
