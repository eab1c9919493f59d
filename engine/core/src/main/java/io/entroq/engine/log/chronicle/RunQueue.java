package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.LogConfig;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.SparseRollCycles;

/** The Chronicle queue of one run, set up so that it holds records and as little else as it can. */
final class RunQueue implements AutoCloseable {
  /** File names count made-up hours; only the name and the index arithmetic come from this. */
  private static final RollCycle CYCLE = SparseRollCycles.LARGE_HOURLY_XSPARSE;

  /** The least that there is: one array of eight entries at the head of the file. */
  private static final int INDEX_ENTRIES = 8;

  /** So far apart that those eight are never used up in a segment, and no array comes between. */
  private static final int INDEX_SPACING = 1 << 24;

  /** A record may be a quarter of a block. */
  private static final int BLOCK_PER_RECORD = 4;

  private static final int RECORD_SLACK_BYTES = 4 << 10;

  static {
    // Read once, when Chronicle's classes load; what the user has set stands.
    setIfAbsent("chronicle.analytics.disable", "true");
    setIfAbsent("chronicle.announcer.disable", "true");
    setIfAbsent("chronicle.disk.monitor.disable", "true");
    // Chronicle asks for loggers; that an application has chosen none is no news for its stderr.
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
            .timeProvider(this::madeUpTimeMs)
            .checkInterrupts(false)
            .build();
  }

  /** The appender, for whichever one thread uses it. */
  ExcerptAppender createAppender() {
    ExcerptAppender appender = queue.createAppender();
    // The thread that opens the log need not be the one that appends.
    appender.singleThreadedCheckDisabled(true);
    return appender;
  }

  /** The next append goes to a new segment. */
  void roll() {
    segment++;
  }

  /** A whole segment lies in one mapping. */
  private static int blockBytes(LogConfig config) {
    int record = config.payloadBytesMax() + RECORD_SLACK_BYTES;
    int least = Math.max(config.segmentBytes(), BLOCK_PER_RECORD * record);
    return Integer.highestOneBit(least - 1) << 1;
  }

  private long madeUpTimeMs() {
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
