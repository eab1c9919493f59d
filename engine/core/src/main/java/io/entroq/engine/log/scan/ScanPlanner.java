package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.RecordsRemovedException;
import java.util.List;

/**
 * Finds where a scan starts and which runs it covers; null if there is nothing to scan. Not
 * thread-safe.
 */
final class ScanPlanner {
  private final LogDirectory directory;
  private final RecordFrame frame;
  private final RunHeaderReader headers;
  private final RecordValidator validator;
  private final EndClassifier classifier;
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private RunList runs = RunList.NONE;

  ScanPlanner(
      LogDirectory directory,
      RecordFrame frame,
      RunHeaderReader headers,
      RecordValidator validator,
      EndClassifier classifier) {
    this.directory = directory;
    this.frame = frame;
    this.headers = headers;
    this.validator = validator;
    this.classifier = classifier;
  }

  /** The runs to scan from the last returned start. */
  RunList runs() {
    return runs;
  }

  /** Starts at the genesis record. */
  ScanStart genesis(List<LogRun> listed) {
    reset(listed);
    validator.setDue(1);
    RunHeader first = null;
    for (RunHeader head : runs.heads()) {
      if (head.sequence() == 1 && head.type() == RecordType.GENESIS) {
        // Take the first; another one is misplaced.
        first = first == null ? head : first;
      }
    }
    if (first == null) {
      return runs.isEmpty() ? null : ScanStart.of(runs.log(0), 1);
    }
    validator.setLogTag(first.logTag());
    return ScanStart.of(first.log(), 1);
  }

  /** Starts at the first record that is left. */
  ScanStart firstThere(List<LogRun> listed) {
    reset(listed);
    if (runs.isEmpty() || isFromGenesis()) {
      return genesis(listed);
    }
    runs.heads().stream()
        .filter(RunHeader::isReadable)
        .findFirst()
        .ifPresent(head -> validator.setLogTag(head.logTag()));
    for (int index = 0; index < runs.size(); index++) {
      LogRun run = runs.log(index);
      long limit = runs.limitOf(index, validator.logTag());
      for (int i = 0; i < run.segments().size(); i++) {
        long first = firstRecord.sequenceOf(run.segments().get(i));
        if (first < limit) {
          classifier.setCutLeast(first + 1);
          return first > 0
              ? ScanStart.at(run, i, first)
              : ScanStart.none(
                  run, i, run.firstSequence(), "the first remaining segment is damaged");
        }
      }
    }
    throw new AssertionError("a cut with nothing after it");
  }

  /** Whether the log still has its beginning, even if that is bad. */
  private boolean isFromGenesis() {
    LogRun first = runs.log(0);
    return (first.firstSequence() == 1 && first.segments().get(0).number() == 0)
        || runs.heads().stream()
            .anyMatch(head -> head.sequence() == 1 && head.type() == RecordType.GENESIS);
  }

  /** Starts at the segment with the floor's record. */
  ScanStart behindFloor(List<LogRun> listed) {
    List<LogRun> filled = listed.stream().filter(run -> !run.segments().isEmpty()).toList();
    LogRun cut = cutRightBehindFloor(filled);
    ScanStart start =
        cut != null
            ? ScanStart.of(cut, validator.floor() + 1)
            : new ScanStartFinder(filled, frame, validator.logTag()).find(validator.floor());
    // Earlier runs are cut off or below the floor, and not needed.
    reset(
        start.run() == null ? listed : listed.subList(listed.indexOf(start.run()), listed.size()));
    return start;
  }

  /** The run that continues right after the floor with a cut, so that no earlier one is needed. */
  private LogRun cutRightBehindFloor(List<LogRun> filled) {
    LogRun found = null;
    for (RunHeader head : headers.of(filled)) {
      if (head.cuts(validator.logTag()) && head.isBegun()) {
        found = head.sequence() == validator.floor() + 1 ? head.log() : found;
        found = head.sequence() <= validator.floor() ? null : found;
      }
    }
    return found;
  }

  /**
   * As {@link #behindFloor}, after the records up to the floor were delivered.
   *
   * @throws RecordsRemovedException if the next record was removed
   */
  ScanStart onwards(List<LogRun> listed) {
    ScanStart start = behindFloor(listed);
    if (start.trouble() != null || !start.mayBegin(validator.floor() + 1)) {
      throw new RecordsRemovedException(
          ("The log in %s has moved on while it was read: the engine removed record %d, which it no"
                  + " longer needs. Read again from the first remaining record; the log is kept for"
                  + " registered readers.")
              .formatted(directory.directory(), validator.floor() + 1));
    }
    return start;
  }

  private void reset(List<LogRun> from) {
    runs = new RunList(from, headers.of(from));
    validator.forgetLast();
  }
}
