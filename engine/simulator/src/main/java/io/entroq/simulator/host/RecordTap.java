package io.entroq.simulator.host;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.RunFactory;
import io.entroq.simulator.check.Invariant;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Observes every record on its way to the disk. One thread. */
final class RecordTap implements RunFactory {
  private final RunFactory runs;
  private final RecordFrame frame = new RecordFrame();
  private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
  private final Listener recordListener;

  /** Receives records. */
  @FunctionalInterface
  interface Listener {
    /**
     * A record was written and will survive the process.
     *
     * @param frame of the record
     * @param record begins with the record; valid until the next one
     * @param file the segment
     * @param position where the record begins in the segment
     */
    void onRecord(RecordFrame frame, DirectBuffer record, Path file, long position);
  }

  RecordTap(RunFactory runs, Listener recordListener) {
    this.runs = runs;
    this.recordListener = recordListener;
  }

  @Override
  public RunAppender open(Path run, LogConfig config) {
    return new Tapped(runs.open(run, config));
  }

  private final class Tapped implements RunAppender {
    private final RunAppender appender;
    private long position;

    Tapped(RunAppender appender) {
      this.appender = appender;
    }

    @Override
    public void roll() {
      appender.roll();
    }

    @Override
    public MutableDirectBuffer open(long at, int recordBytes) {
      MutableDirectBuffer buffer = appender.open(at, recordBytes);
      position = at;
      // The appender may reuse its own view before the record is reported.
      record.wrap(buffer, 0, recordBytes);
      return buffer;
    }

    @Override
    public void commit() {
      RecordFault fault = frame.check(record, 0, record.capacity());
      Invariant.RECORD_SOUND.require(
          fault == RecordFault.NONE, "@" + frame.sequence(), RecordFault.NONE, fault);
      appender.commit();
      recordListener.onRecord(frame, record, appender.file(), position);
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
  }
}
