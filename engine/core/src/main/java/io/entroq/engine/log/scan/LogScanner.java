package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.RecordsRemovedException;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads a log from its beginning, or from after a snapshot, to its end.
 *
 * <p>A record is delivered only if it directly follows the previous one and has the next sequence,
 * the log's tag, and correct checksums. Where that fails, the bytes after it decide whether this is
 * damage or a tail torn by a crash. A run that begins with a cut states where earlier runs end.
 * Every other run states by its name how far the log was readable when it was created, and so does
 * the mark of a clean close. A log that ends before that has lost records.
 *
 * <p>The log may be read while an engine appends, rolls, removes old segments and closes: apparent
 * damage is checked again if the files have changed. Single use; not thread-safe.
 */
public final class LogScanner {
  /** How often damage is checked again while files change without progress. */
  private static final int RETRIES_MAX = 3;

  /**
   * How often segments may be removed before this has read anything. An engine that rolls and
   * removes small segments can outpace a reader without CPU time, so this only prevents an endless
   * loop.
   */
  private static final int REMOVALS_MAX = 1_000;

  private static final RecordHandler IGNORED =
      (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {};

  private final LogDirectory directory;
  private final Supplier<List<LogRun>> runs;
  private final HolePolicy policy;

  /** Files and runs to ignore. */
  private final Set<Path> excluded;

  private final RecordFrame frame = new RecordFrame();
  private final RunHeaderReader headers = new RunHeaderReader(frame);
  private final RecordValidator validator = new RecordValidator(frame);
  private final ScanCounters counters = new ScanCounters();
  private final EndClassifier classifier;
  private final ScanPlanner planner;
  private final LogEndCheck endCheck;
  private LogWalker walker;
  private List<LogRun> listed;

  /** The same scan with a scanner that ignores other files. */
  private Function<LogScanner, ScanReport> without = others -> others.scan(IGNORED);

  public LogScanner(LogDirectory directory, HolePolicy policy) {
    this(directory, directory::runs, policy, Set.of());
  }

  /**
   * @param runs lists the runs of the directory for each attempt
   */
  LogScanner(
      LogDirectory directory, Supplier<List<LogRun>> runs, HolePolicy policy, Set<Path> excluded) {
    this.directory = directory;
    this.runs = runs;
    this.policy = policy;
    this.excluded = excluded;
    classifier = new EndClassifier(directory.directory(), policy, validator);
    planner = new ScanPlanner(directory, frame, headers, validator, classifier);
    endCheck = new LogEndCheck(directory.directory(), validator, classifier);
  }

  /**
   * Passes all good records to the handler, from the genesis record or, if retention has removed
   * it, from the first one left. Damage is reported, not thrown; the records delivered before it
   * are good.
   *
   * @throws LogException if a file cannot be read or was written by a newer build
   * @throws RecordsRemovedException if records were removed concurrently after earlier ones had
   *     been delivered
   */
  public ScanReport scan(RecordHandler to) {
    return scanFrom(planner::firstThere, to);
  }

  /**
   * As {@link #scan}, but delivers only the records after a snapshot. Segments entirely below it
   * are not read. The log is damaged if it lacks the snapshot's record or a later one.
   *
   * @param sequence the last record in the snapshot; 0 for the whole log, which must then begin
   *     with its genesis record
   * @param tag tag of the log; ignored if the sequence is 0
   * @param logTimeMs log time of the snapshot's record; ignored if the sequence is 0
   */
  public ScanReport scanAfter(long sequence, int tag, long logTimeMs, RecordHandler to) {
    if (sequence == 0) {
      without = others -> others.scanAfter(0, 0, 0, IGNORED);
      return scanFrom(planner::genesis, to);
    }
    validator.setLogTag(tag);
    // The log can be cut after the snapshot, whatever its state.
    classifier.setCutLeast(sequence + 1);
    validator.goOnBehindSnapshot(sequence, logTimeMs);
    without = others -> others.scanAfter(sequence, tag, logTimeMs, IGNORED);
    return scanFrom(planner::behindFloor, to);
  }

  private ScanReport scanFrom(Function<List<LogRun>, ScanStart> begins, RecordHandler to) {
    walker = new LogWalker(directory.directory(), frame, validator, classifier, counters, to);
    Function<List<LogRun>, ScanStart> next = begins;
    int retries = 0;
    int removals = 0;
    while (true) {
      long before = counters.records();
      boolean isGone = !walkOnce(next);
      if (!isGone && (!classifier.isDamaged() || !hasChanged())) {
        return report();
      }
      boolean isFurther = counters.records() > before;
      retries = isGone || isFurther ? 0 : retries + 1;
      removals = isFurther ? 0 : isGone ? removals + 1 : removals;
      if (retries > RETRIES_MAX || removals > REMOVALS_MAX) {
        return report();
      }
      if (counters.records() > 0) {
        // Not after what this attempt read: it may have read less than an earlier one.
        validator.goOnBehind(counters.lastSequence(), counters.lastLogTimeMs());
        next = planner::onwards;
      }
      classifier.clear();
    }
  }

  /** Returns false if a file was removed concurrently. */
  private boolean walkOnce(Function<List<LogRun>, ScanStart> begins) {
    try {
      // Read the mark first: if the engine closes concurrently, the records it names are then
      // there.
      CleanCloseMarker mark = directory.closedMark();
      listed = runs.get();
      List<LogRun> remaining = remaining();
      ScanStart start = begins.apply(remaining);
      MisplacedFiles misplaced = misplaced(remaining);
      if (misplaced != null) {
        classifier.misplaced(misplaced);
        return true;
      }
      checkAbove(remaining, start);
      walker.go(planner.runs(), start);
      checkCutOff(remaining);
      endCheck.check(planner.runs(), mark, walker.endFile(), walker.endOffset());
      return true;
    } catch (SegmentRemovedException e) {
      classifier.damaged(e.file(), 0, "the segment was removed while the log was read");
      return false;
    } catch (InternalError e) {
      // An unreadable page of a mapped file.
      throw LogException.error(
          "Cannot read %s near offset %d, record %d: %s. The disk or file system has an error there."
              .formatted(walker.endFile(), walker.endOffset(), validator.due(), e),
          e);
    }
  }

  private MisplacedFiles misplaced(List<LogRun> runs) {
    Integer tag = validator.logTag();
    if (tag == null) {
      return null;
    }
    List<RunHeader> all = headers.of(runs);
    boolean isOfOther = all.stream().noneMatch(head -> head.logTag() == tag);
    if (validator.snapshot() > 0 && isOfOther && all.stream().anyMatch(RunHeader::isReadable)) {
      String name = String.format(Locale.ROOT, "snapshots/snapshot-%020d", validator.snapshot());
      String what = "it belongs to another log than the one in " + LogDirectory.LOG;
      return MisplacedFiles.of(directory.directory().resolve(name), validator.snapshot(), what);
    }
    return new PlacementCheck(runs, all, tag, validator.snapshot()).find();
  }

  /** Reports a segment in a part that was cut off with which the log continues. */
  private void checkCutOff(List<LogRun> runs) {
    Integer tag = validator.logTag();
    List<RunHeader> all = runs.size() < 2 || tag == null ? List.of() : headers.of(runs);
    if (classifier.isDamaged() || all.stream().noneMatch(head -> head.cuts(tag))) {
      return;
    }
    MisplacedFiles found =
        new PlacementCheck(runs, all, tag, validator.snapshot())
            .findBehind(validator.due(), validator.lastLogTimeMs());
    if (found != null) {
      classifier.misplaced(found);
    }
  }

  /** Scans once without the misplaced files to give advice. */
  private String advice(MisplacedFiles misplaced) {
    if (!excluded.isEmpty()) {
      return "";
    }
    Set<Path> others = Set.copyOf(misplaced.files());
    return misplaced.advice(without.apply(new LogScanner(directory, runs, policy, others)));
  }

  private List<LogRun> remaining() {
    List<LogRun> remaining = new ArrayList<>();
    for (LogRun run : listed) {
      if (!excluded.contains(run.directory())) {
        remaining.add(run.without(excluded));
      }
    }
    return remaining;
  }

  /** Warns of missing segments before the start of the scan. */
  private void checkAbove(List<LogRun> runs, ScanStart start) {
    boolean isFirst = true;
    for (LogRun run : runs) {
      boolean isLast = start == null || run.equals(start.run());
      int end = isLast && start != null ? start.segment() + 1 : run.segments().size();
      for (int i = 0; i < end && validator.snapshot() > 0; i++) {
        long due = i == 0 ? 0 : run.segments().get(i - 1).number() + 1;
        if (run.segments().get(i).number() != due && !isFirst) {
          String what = "the segment %s is missing".formatted(SegmentLayout.fileName(due));
          counters.warn(LogWarning.ofMissing(run.directory(), validator.snapshot(), what));
        }
        isFirst = false;
      }
      if (isLast) {
        return;
      }
    }
  }

  private boolean hasChanged() {
    return !runs.get().equals(listed) || hasBegunMeanwhile();
  }

  /** Whether a run whose first record was being written now has it. */
  private boolean hasBegunMeanwhile() {
    return headers.of(planner.runs().unreadable()).stream().anyMatch(RunHeader::isReadable);
  }

  private ScanReport report() {
    if (classifier.misplaced() != null) {
      classifier.advise(advice(classifier.misplaced()));
    }
    return counters.report(validator, walker.endFile(), walker.endOffset(), classifier);
  }
}
