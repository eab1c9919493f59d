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

/** Replays a log and determines where it ends. */
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
   * Passes every record to the handler. If the directory is locked or the log is forced, all of the
   * log is on the disk when this returns: records that a killed process had only written are
   * replayed, so they must not get lost.
   *
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged; discard what the
   *     handler has built
   * @throws LogException if it cannot be read or forced, or a record cannot be replayed; caused by
   *     an {@link UnsupportedLevelException} if that requires a newer build
   */
  public RecoveredLog recover(RecordHandler handler) {
    return recoverAfter(0, 0, 0, handler);
  }

  /**
   * As {@link #recover}, but delivers only the records after a snapshot.
   *
   * @param sequence the last record in the snapshot; 0 for the whole log
   * @param logTag tag of its log
   * @param logTimeMs log time of that record
   */
  public RecoveredLog recoverAfter(
      long sequence, int logTag, long logTimeMs, RecordHandler handler) {
    return settle(readAfter(sequence, logTag, logTimeMs, handler));
  }

  /** Forces what was read, so that an engine may append to it. */
  RecoveredLog settle(RecoveredLog scanned) {
    ScanReport report = scanned.report();
    long forcedSequence = scanned.forcedSequence();
    // At any durability: later forces cover only the new run's files, but records state that
    // everything before them is on the disk.
    if (policy == HolePolicy.CUT_UNFORCED || directory.isLocked()) {
      force(report.unforced());
      forcedSequence = report.lastSequence();
    }
    if (directory.isLocked()) {
      // A killed engine leaves long files of zeros; trim them, so that later openings skip them.
      report.loose().forEach(directory::trim);
    }
    return new RecoveredLog(
        report.lastSequence(), report.lastLogTimeMs(), forcedSequence, report.logTag(), report);
  }

  /** As {@link #recoverAfter}, but modifies and forces nothing. */
  public RecoveredLog readAfter(long sequence, int logTag, long logTimeMs, RecordHandler handler) {
    ScanReport report = read(sequence, logTag, logTimeMs, handler).requireUndamaged();
    // The log was forced that far before the snapshot became valid.
    long forcedSequence = Math.max(report.forcedSequence(), sequence);
    return new RecoveredLog(
        report.lastSequence(), report.lastLogTimeMs(), forcedSequence, report.logTag(), report);
  }

  private ScanReport read(long sequence, int logTag, long logTimeMs, RecordHandler handler) {
    found =
        new LogScanner(directory, policy).scanAfter(sequence, logTag, logTimeMs, naming(handler));
    return found;
  }

  /** The report of the last scan; null if the log was not read. */
  ScanReport found() {
    return found;
  }

  /** Wraps the handler so that its exceptions name the record. */
  private RecordHandler naming(RecordHandler handler) {
    return (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {
      try {
        handler.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      } catch (MalformedMessageException | InvariantBrokenException e) {
        throw LogException.error(
            ("Record %d (%s) of the log in %s is intact but cannot be replayed: %s. Nothing was"
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

  /** The exception if the state does not fit into memory. */
  public LogException noMemory(String where, OutOfMemoryError e) {
    boolean isOutsideHeap = String.valueOf(e.getMessage()).contains("direct buffer");
    String flag = isOutsideHeap ? "-XX:MaxDirectMemorySize" : "-Xmx";
    return LogException.error(
        ("There is not enough memory for the tasks in %s: %s, %s. Nothing was changed; start"
                + " the JVM with a larger %s.")
            .formatted(directory.directory().toAbsolutePath(), where, e.getMessage(), flag),
        e);
  }

  /** A handler that applies records to a state machine; results go to the sink. */
  public static RecordHandler into(StateMachine machine, ResultSink sink) {
    return (type, sequence, logTimeMs, payloadCrc, payload, offset, length) ->
        machine.apply(type, payload, offset, length, payloadCrc, logTimeMs, sequence, sink);
  }

  /** Forces every segment, including those that recovery does not read. */
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
      throw LogException.fatal("Forcing the recovered log failed: " + e, e);
    }
  }

  private void forceFile(Path segment) throws IOException {
    try (FileChannel channel = DataFile.open(segment, StandardOpenOption.WRITE)) {
      forcer.force(segment.toString(), () -> channel.force(false));
    }
  }
}
