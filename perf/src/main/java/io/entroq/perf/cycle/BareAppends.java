package io.entroq.perf.cycle;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.SparseRollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The ceiling of everything that logs each command: appends of the same bytes, and nothing else.
 */
public final class BareAppends implements AutoCloseable {
  private static final int BLOCK_BYTES = 64 << 20;
  private static final long SEGMENT_BYTES = 64 << 20;

  private final ChronicleQueue queue;
  private final ExcerptAppender appender;
  private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
  private final UnsafeBuffer source;
  private final int[] recordBytes;
  private long segment;
  private long segmentBytes;

  /**
   * Opens a queue with the settings of the engine's log.
   *
   * @param recordBytes the sizes of the records of one cycle
   */
  public BareAppends(Path directory, int... recordBytes) {
    this.recordBytes = recordBytes.clone();
    int longest = Arrays.stream(recordBytes).max().orElse(0);
    source = new UnsafeBuffer(new byte[longest]);
    source.setMemory(0, longest, (byte) 0x5A);
    queue =
        SingleChronicleQueueBuilder.binary(directory)
            .rollCycle(SparseRollCycles.LARGE_HOURLY_XSPARSE)
            .indexCount(8)
            .indexSpacing(1 << 24)
            .blockSize(BLOCK_BYTES)
            .timeProvider(() -> segment * SparseRollCycles.LARGE_HOURLY_XSPARSE.lengthInMillis())
            .checkInterrupts(false)
            .build();
    appender = queue.createAppender();
  }

  /** Appends the records of one cycle. */
  public void cycle() {
    for (int bytes : recordBytes) {
      append(bytes);
    }
  }

  private void append(int bytes) {
    segmentBytes += bytes;
    if (segmentBytes > SEGMENT_BYTES) {
      segment++;
      segmentBytes = 0;
    }
    try (DocumentContext document = appender.writingDocument()) {
      Bytes<?> out = document.wire().bytes();
      target.wrap(out.addressForWrite(out.writePosition()), bytes);
      target.putBytes(0, source, 0, bytes);
      out.writeSkip(bytes);
    }
  }

  /** The file of the last record; null before the first. */
  public Path file() {
    File file = appender.currentFile();
    return file == null ? null : file.toPath();
  }

  @Override
  public void close() {
    appender.close();
    queue.close();
  }
}
