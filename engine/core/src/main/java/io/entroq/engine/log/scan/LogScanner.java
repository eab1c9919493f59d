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
 * Reads a log from its beginning, or from behind a record that a snapshot holds, to its end.
 *
 * <p>A record is given out only if it stands exactly where the one before it ended, has the next
 * sequence, the tag of the log, and both checksums right. Where that fails, what lies behind
 * decides: damage, or a tail that a crash has torn. A run that begins with a cut says where the
 * runs before it end; every other run says by its name how far the log could be read when it was
 * made, and so does the mark of a log that was closed: one that ends before that has lost records.
 *
 * <p>May read beside an engine that appends, rolls, removes old segments and closes: what looks
 * like damage is looked at again if the files have changed in between. One use, one thread.
 */
public final class LogScanner {
  /** How often damage is looked at again while the files change and nothing more can be read. */
  private static final int RETRIES_MAX = 3;

  /**
   * How often segments may be removed under this before it has read anything. An engine that rolls
   * and removes small segments is faster than a reader that is not given a processor, so this only
   * ends what would go on for ever.
   */
  private static final int REMOVALS_MAX = 1_000;

  private static final RecordHandler IGNORED =
      (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {};

  private final LogDirectory directory;
  private final Supplier<List<LogRun>> runs;
  private final HolePolicy policy;

  /** Files and runs that are taken for gone. */
  private final Set<Path> excluded;

  private final RecordFrame frame = new RecordFrame();
  private final RunHeaderReader heads = new RunHeaderReader(frame);
  private final RecordValidator chain = new RecordValidator(frame);
  private final ScanCounters tally = new ScanCounters();
  private final EndClassifier verdict;
  private final ScanPlanner beginning;
  private final LogEndCheck reach;
  private LogWalker walk;
  private List<LogRun> listed;

  /** The same scan with a scanner that takes other files for gone. */
  private Function<LogScanner, ScanReport> without = others -> others.scan(IGNORED);

  public LogScanner(LogDirectory directory, HolePolicy policy) {
    this(directory, directory::runs, policy, Set.of());
  }

  /**
   * @param runs lists the runs of the directory, for every attempt anew
   */
  LogScanner(
      LogDirectory directory, Supplier<List<LogRun>> runs, HolePolicy policy, Set<Path> excluded) {
    this.directory = directory;
    this.runs = runs;
    this.policy = policy;
    this.excluded = excluded;
    verdict = new EndClassifier(directory.directory(), policy, chain);
    beginning = new ScanPlanner(directory, frame, heads, chain, verdict);
    reach = new LogEndCheck(directory.directory(), chain, verdict);
  }

  /**
   * Gives all good records that there are to the handler and says what was found: from the genesis
   * record on, or from a later one if retention has removed what was before it. Damage is in the
   * report and not thrown; what was given out before it was met are good records all the same.
   *
   * @throws LogException if a file cannot be read, or was written by a build that knows more
   * @throws RecordsRemovedException if records were removed beside this after those before them had
   *     been given out
   */
  public ScanReport scan(RecordHandler to) {
    return scanFrom(beginning::firstThere, to);
  }

  /**
   * As {@link #scan}, but gives out only the records behind one that a snapshot holds. Segments
   * that lie wholly below it are not looked at. It is damage if the log does not hold that record,
   * or one of those behind it.
   *
   * @param sequence the last record that the snapshot holds; 0 for the whole log, which must then
   *     begin with its genesis record
   * @param tag the tag of the log; not looked at if the sequence is 0
   * @param logTimeMs the log time of that record; not looked at if the sequence is 0
   */
  public ScanReport scanAfter(long sequence, int tag, long logTimeMs, RecordHandler to) {
    if (sequence == 0) {
      without = others -> others.scanAfter(0, 0, 0, IGNORED);
      return scanFrom(beginning::genesis, to);
    }
    chain.setLogTag(tag);
    // The snapshot is there to go on from, whatever has become of the log.
    verdict.setCutLeast(sequence + 1);
    chain.goOnBehindSnapshot(sequence, logTimeMs);
    without = others -> others.scanAfter(sequence, tag, logTimeMs, IGNORED);
    return scanFrom(beginning::behindFloor, to);
  }

  private ScanReport scanFrom(Function<List<LogRun>, ScanStart> begins, RecordHandler to) {
    walk = new LogWalker(directory.directory(), frame, chain, verdict, tally, to);
    Function<List<LogRun>, ScanStart> next = begins;
    int retries = 0;
    int removals = 0;
    while (true) {
      long before = tally.records();
      boolean isGone = !walkOnce(next);
      if (!isGone && (!verdict.isDamaged() || !hasChanged())) {
        return report();
      }
      boolean isFurther = tally.records() > before;
      retries = isGone || isFurther ? 0 : retries + 1;
      removals = isFurther ? 0 : isGone ? removals + 1 : removals;
      if (retries > RETRIES_MAX || removals > REMOVALS_MAX) {
        return report();
      }
      if (tally.records() > 0) {
        // Not behind what was read last: an attempt that ends early may have read less than before.
        chain.goOnBehind(tally.lastSequence(), tally.lastLogTimeMs());
        next = beginning::onwards;
      }
      verdict.clear();
    }
  }

  /** False if a file was removed under the walk. */
  private boolean walkOnce(Function<List<LogRun>, ScanStart> begins) {
    try {
      // First: beside an engine that closes, what the mark names is then there to be read.
      CleanCloseMarker mark = directory.closedMark();
      listed = runs.get();
      List<LogRun> left = left();
      ScanStart start = begins.apply(left);
      MisplacedFiles misplaced = misplaced(left);
      if (misplaced != null) {
        verdict.misplaced(misplaced);
        return true;
      }
      checkAbove(left, start);
      walk.go(beginning.runs(), start);
      checkCutOff(left);
      reach.check(beginning.runs(), mark, walk.endFile(), walk.endOffset());
      return true;
    } catch (SegmentRemovedException e) {
      verdict.damaged(e.file(), 0, "the segment was removed while the log was read");
      return false;
    } catch (InternalError e) {
      // How a page of a mapped file that cannot be read shows itself.
      throw LogException.error(
          "Cannot read %s near offset %d, record %d: %s. The disk, or the file system, fails there."
              .formatted(walk.endFile(), walk.endOffset(), chain.due(), e),
          e);
    }
  }

  private MisplacedFiles misplaced(List<LogRun> runs) {
    Integer tag = chain.logTag();
    if (tag == null) {
      return null;
    }
    List<RunHeader> all = heads.of(runs);
    boolean isOfOther = all.stream().noneMatch(head -> head.logTag() == tag);
    if (chain.snapshot() > 0 && isOfOther && all.stream().anyMatch(RunHeader::isReadable)) {
      String name = String.format(Locale.ROOT, "snapshots/snapshot-%020d", chain.snapshot());
      String what = "it is of another log than what lies in " + LogDirectory.LOG;
      return MisplacedFiles.of(directory.directory().resolve(name), chain.snapshot(), what);
    }
    return new PlacementCheck(runs, all, tag, chain.snapshot()).find();
  }

  /** Whether the log goes on in a segment that lies where it was cut off. */
  private void checkCutOff(List<LogRun> runs) {
    Integer tag = chain.logTag();
    List<RunHeader> all = runs.size() < 2 || tag == null ? List.of() : heads.of(runs);
    if (verdict.isDamaged() || all.stream().noneMatch(head -> head.cuts(tag))) {
      return;
    }
    MisplacedFiles found =
        new PlacementCheck(runs, all, tag, chain.snapshot())
            .findBehind(chain.due(), chain.lastLogTimeMs());
    if (found != null) {
      verdict.misplaced(found);
    }
  }

  /** Looks once at what would be there without what does not belong. */
  private String advice(MisplacedFiles misplaced) {
    if (!excluded.isEmpty()) {
      return "";
    }
    Set<Path> others = Set.copyOf(misplaced.files());
    return misplaced.advice(without.apply(new LogScanner(directory, runs, policy, others)));
  }

  private List<LogRun> left() {
    List<LogRun> left = new ArrayList<>();
    for (LogRun run : listed) {
      if (!excluded.contains(run.directory())) {
        left.add(run.without(excluded));
      }
    }
    return left;
  }

  /** Warns of segments that are missing where nothing is read. */
  private void checkAbove(List<LogRun> runs, ScanStart start) {
    boolean isFirst = true;
    for (LogRun run : runs) {
      boolean isLast = start == null || run.equals(start.run());
      int end = isLast && start != null ? start.segment() + 1 : run.segments().size();
      for (int i = 0; i < end && chain.snapshot() > 0; i++) {
        long due = i == 0 ? 0 : run.segments().get(i - 1).number() + 1;
        if (run.segments().get(i).number() != due && !isFirst) {
          String what = "the segment %s is missing".formatted(SegmentLayout.fileName(due));
          tally.warn(LogWarning.ofMissing(run.directory(), chain.snapshot(), what));
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

  /** Whether a run whose first record was being written has it now. */
  private boolean hasBegunMeanwhile() {
    return heads.of(beginning.runs().unreadable()).stream().anyMatch(RunHeader::isReadable);
  }

  private ScanReport report() {
    if (verdict.misplaced() != null) {
      verdict.advise(advice(verdict.misplaced()));
    }
    return tally.report(chain, walk.endFile(), walk.endOffset(), verdict);
  }
}
