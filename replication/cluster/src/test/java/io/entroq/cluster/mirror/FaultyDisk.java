package io.entroq.cluster.mirror;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.agrona.MutableDirectBuffer;

/** A disk that accepts writes, blocks them, or fails them. Any thread. */
final class FaultyDisk implements RunFactory {
  private static final long LOOK_NS = 100_000;

  private volatile boolean isStuck;
  private volatile boolean isRefusing;

  /** Blocks writes from now on. */
  FaultyDisk stick() {
    isStuck = true;
    return this;
  }

  /** Fails writes from now on. */
  void refuse() {
    isRefusing = true;
  }

  /** Accepts writes again. */
  void mend() {
    isRefusing = false;
    isStuck = false;
  }

  @Override
  public RunAppender open(Path run, LogConfig config) {
    RunAppender appender = ChronicleLog.RUNS.open(run, config);
    return new RunAppender() {
      @Override
      public void roll() {
        appender.roll();
      }

      @Override
      public MutableDirectBuffer open(long position, int length) {
        while (isStuck) {
          LockSupport.parkNanos(LOOK_NS);
        }
        if (isRefusing) {
          throw LogException.error("the disk refuses");
        }
        return appender.open(position, length);
      }

      @Override
      public void commit() {
        appender.commit();
      }

      @Override
      public void rollback() {
        appender.rollback();
      }

      @Override
      public Path file() {
        return appender.file();
      }

      @Override
      public void close() {
        appender.close();
      }
    };
  }
}
