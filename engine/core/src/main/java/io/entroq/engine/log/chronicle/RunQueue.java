package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.LogConfig;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.SparseRollCycles;

/** The Chronicle queue of one run, configured to contain as little besides records as possible. */
final class RunQueue implements AutoCloseable {
  /** Determines only file names, which count fictitious hours, and index arithmetic. */
  private static final RollCycle CYCLE = SparseRollCycles.LARGE_HOURLY_XSPARSE;

  /** The minimum: one array of eight entries at the head of the file. */
  private static final int INDEX_ENTRIES = 8;

  /** So wide that a segment never uses up those eight, and no array is added between records. */
  private static final int INDEX_SPACING = 1 << 24;

  /** A record may be a quarter of a block. */
  private static final int BLOCK_PER_RECORD = 4;

  private static final int RECORD_SLACK_BYTES = 4 << 10;

  static {
    // Read once, when Chronicle's classes load; the user's settings take precedence.
    setIfAbsent("chronicle.analytics.disable", "true");
    setIfAbsent("chronicle.announcer.disable", "true");
    setIfAbsent("chronicle.disk.monitor.disable", "true");
    // No warning on stderr if the application has no SLF4J provider.
    setIfAbsent("slf4j.internal.verbosity", "ERROR");
  }

  private final ChronicleQueue queue;
  private long segment;

  RunQueue(Path run, LogConfig config) {
    queue =
        SingleChronicleQueueBuilder.binary(run)
            .rollCycle(CYCLE)
            .indexCount(INDEX_ENTRIES)
            .indexSpacing(INDEX_SPACING)
            .blockSize(blockBytes(config))
            .timeProvider(this::fictitiousTimeMs)
            .checkInterrupts(false)
            .build();
  }

  /** Creates the appender, for use by any one thread at a time. */
  ExcerptAppender createAppender() {
    ExcerptAppender appender = queue.createAppender();
    // The thread that opens the log may differ from the one that appends.
    appender.singleThreadedCheckDisabled(true);
    return appender;
  }

  /** The next append goes to a new segment. */
  void roll() {
    segment++;
  }

  /** Large enough for a segment to fit in one mapping. */
  private static int blockBytes(LogConfig config) {
    int record = config.payloadBytesMax() + RECORD_SLACK_BYTES;
    int least = Math.max(config.segmentBytes(), BLOCK_PER_RECORD * record);
    return Integer.highestOneBit(least - 1) << 1;
  }

  private long fictitiousTimeMs() {
    return segment * CYCLE.lengthInMillis();
  }

  private static void setIfAbsent(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
