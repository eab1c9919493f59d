package io.entroq.engine.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs in files that are written with nothing but channels, on whatever file system. */
public final class PlainRuns implements RunFactory {
  @Override
  public RunAppender open(Path run, LogConfig config) {
    return new Run(run, config);
  }

  private static final class Run implements RunAppender {
    private final Path run;
    private final ByteBuffer bytes;
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
    private long number;
    private Path file;
    private FileChannel channel;
    private long position;
    private int length;

    Run(Path run, LogConfig config) {
      this.run = run;
      // Room for the word in front of the record, and for its header.
      bytes = ByteBuffer.allocate(config.payloadBytesMax() + 256).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void roll() {
      close();
      channel = null;
      number++;
    }

    @Override
    public MutableDirectBuffer open(long newPosition, int newLength) {
      position = newPosition;
      length = newLength;
      target.wrap(bytes, SegmentLayout.WORD_BYTES, newLength);
      return target;
    }

    @Override
    public void commit() {
      try {
        if (channel == null) {
          file = run.resolve(SegmentLayout.fileName(number));
          channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
        bytes.putInt(0, length);
        bytes.clear().limit(SegmentLayout.WORD_BYTES + length);
        channel.write(bytes, position - SegmentLayout.WORD_BYTES);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void rollback() {}

    @Override
    public Path file() {
      return file;
    }

    @Override
    public void close() {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
