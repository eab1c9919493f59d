package io.entroq.engine.recovery;

import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.UnsupportedLevelException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Replays a log and settles where it ends. */
public final class LogRecovery {
  private final LogDirectory directory;
  private final HolePolicy policy;
  private final Forcer forcer;
  private ScanReport found;

  public LogRecovery(LogDirectory directory, HolePolicy policy, Forcer forcer) {
    this.directory = directory;
    this.policy = policy;
    this.forcer = forcer;
  }

  /**
   * Gives every record to the handler. If the directory is opened to go on, or the log is one that
   * is forced, all of it is on the disk when this returns: what a killed process had only written
   * is read, and so must not vanish.
   *
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged; what the handler has
   *     made of the records is then worth nothing
   * @throws LogException if it cannot be read or forced, or a record cannot be replayed; caused by
   *     an {@link UnsupportedLevelException} if that takes a newer build
   */
  public RecoveredLog recover(RecordHandler handler) {
    return recoverAfter(0, 0, 0, handler);
  }

  /**
   * As {@link #recover}, but gives out only the records behind one that a snapshot holds.
   *
   * @param sequence of that record; 0: all of the log
   * @param logTag the tag of its log
   * @param logTimeMs its log time
   */
  public RecoveredLog recoverAfter(
      long sequence, int logTag, long logTimeMs, RecordHandler handler) {
    return settle(lookAfter(sequence, logTag, logTimeMs, handler));
  }

  /** Has on the disk what was looked at, so that an engine may go on from it. */
  RecoveredLog settle(RecoveredLog looked) {
    ScanReport report = looked.report();
    long forcedSequence = looked.forcedSequence();
    // At any level: the forces of the run that follows cover its own files, and records say of
    // everything before them that it is on the disk.
    if (policy == HolePolicy.CUT_UNFORCED || directory.isLocked()) {
      force(report.unforced());
      forcedSequence = report.lastSequence();
    }
    if (directory.isLocked()) {
      // Of a killed engine; so that only this opening has looked at zeros up to the end of the
      // file.
      report.loose().forEach(directory::trim);
    }
    return new RecoveredLog(
        report.lastSequence(), report.lastLogTimeMs(), forcedSequence, report.logTag(), report);
  }

  /** As {@link #recoverAfter}, but changes nothing, and forces nothing. */
  RecoveredLog lookAfter(long sequence, int logTag, long logTimeMs, RecordHandler handler) {
    ScanReport report = read(sequence, logTag, logTimeMs, handler).requireUndamaged();
    // The log was forced that far before the snapshot counted.
    long forcedSequence = Math.max(report.forcedSequence(), sequence);
    return new RecoveredLog(
        report.lastSequence(), report.lastLogTimeMs(), forcedSequence, report.logTag(), report);
  }

  private ScanReport read(long sequence, int logTag, long logTimeMs, RecordHandler handler) {
    found =
        new LogScanner(directory, policy).scanAfter(sequence, logTag, logTimeMs, naming(handler));
    return found;
  }

  /** What was found in the log last; null if it was not read. */
  ScanReport found() {
    return found;
  }

  /** The handler, whose complaints about a record say which record it is. */
  private RecordHandler naming(RecordHandler handler) {
    return (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {
      try {
        handler.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      } catch (MalformedMessageException | InvariantBrokenException e) {
        throw LogException.error(
            ("Record %d (%s) of the log in %s is undamaged and cannot be replayed: %s. Nothing was"
                    + " changed; open the directory with the build that wrote it, and report this.")
                .formatted(sequence, RecordType.name(type), directory.directory(), e.getMessage()),
            e);
      } catch (UnsupportedLevelException e) {
        throw LogException.error(
            "Record %d (%s) of the log in %s cannot be replayed: %s. Nothing was changed."
                .formatted(
                    sequence,
                    RecordType.name(type),
                    directory.directory().toAbsolutePath(),
                    e.getMessage()),
            e);
      } catch (OutOfMemoryError e) {
        throw noMemory("at record " + sequence, e);
      }
    };
  }

  /** Says what to do when the state does not fit. */
  LogException noMemory(String where, OutOfMemoryError e) {
    boolean isOutsideHeap = String.valueOf(e.getMessage()).contains("direct buffer");
    String flag = isOutsideHeap ? "-XX:MaxDirectMemorySize" : "-Xmx";
    return LogException.error(
        ("There is not enough memory for the tasks in %s: %s, %s. Nothing was changed; start"
                + " the JVM with a larger %s.")
            .formatted(directory.directory().toAbsolutePath(), where, e.getMessage(), flag),
        e);
  }

  /** Folds records into a state machine; the answers go to the sink. */
  public static RecordHandler into(StateMachine machine, ResultSink sink) {
    return (type, sequence, logTimeMs, payloadCrc, payload, offset, length) ->
        machine.apply(type, payload, offset, length, payloadCrc, logTimeMs, sequence, sink);
  }

  /** Has every segment on the disk when this returns, those too that nobody has to read. */
  void forceAll() {
    force(
        directory.runs().stream()
            .flatMap(run -> run.segments().stream())
            .map(LogSegment::file)
            .toList());
  }

  private void force(List<Path> segments) {
    Set<Path> directories = new LinkedHashSet<>();
    try {
      for (Path segment : segments) {
        forceFile(segment);
        directories.add(segment.getParent());
        directories.add(segment.getParent().getParent());
      }
      for (Path each : directories) {
        forcer.force(each.toString(), () -> LogDirectory.force(each));
      }
    } catch (IOException e) {
      throw LogException.fatal("Forcing what was recovered failed: " + e, e);
    }
  }

  private void forceFile(Path segment) throws IOException {
    try (FileChannel channel = DataFile.open(segment, StandardOpenOption.WRITE)) {
      forcer.force(segment.toString(), () -> channel.force(false));
    }
  }
}
