package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.RecordsRemovedException;
import java.util.List;

/**
 * Finds where a scan begins and which runs it covers. Null if there is nothing to scan. One thread.
 */
final class ScanPlanner {
  private final LogDirectory directory;
  private final RecordFrame frame;
  private final RunHeaderReader heads;
  private final RecordValidator chain;
  private final EndClassifier verdict;
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private RunList runs = RunList.NONE;

  ScanPlanner(
      LogDirectory directory,
      RecordFrame frame,
      RunHeaderReader heads,
      RecordValidator chain,
      EndClassifier verdict) {
    this.directory = directory;
    this.frame = frame;
    this.heads = heads;
    this.chain = chain;
    this.verdict = verdict;
  }

  /** The runs that the last beginning is about. */
  RunList runs() {
    return runs;
  }

  /** The whole log: from the last run that begins it. */
  ScanStart genesis(List<LogRun> listed) {
    reset(listed);
    chain.setDue(1);
    RunHeader first = null;
    for (RunHeader head : runs.heads()) {
      if (head.sequence() == 1 && head.type() == RecordType.GENESIS) {
        // The first: one that follows does not belong there.
        first = first == null ? head : first;
      }
    }
    if (first == null) {
      return runs.isEmpty() ? null : ScanStart.of(runs.log(0), 1);
    }
    chain.setLogTag(first.logTag());
    return ScanStart.of(first.log(), 1);
  }

  /** The first record there is. */
  ScanStart firstThere(List<LogRun> listed) {
    reset(listed);
    if (runs.isEmpty() || isFromGenesis()) {
      return genesis(listed);
    }
    runs.heads().stream()
        .filter(RunHeader::isReadable)
        .findFirst()
        .ifPresent(head -> chain.setLogTag(head.logTag()));
    for (int index = 0; index < runs.size(); index++) {
      LogRun run = runs.log(index);
      long limit = runs.limitOf(index, chain.logTag());
      for (int i = 0; i < run.segments().size(); i++) {
        long first = firstRecord.sequenceOf(run.segments().get(i));
        if (first < limit) {
          verdict.setCutLeast(first + 1);
          return first > 0
              ? ScanStart.at(run, i, first)
              : ScanStart.none(
                  run, i, run.firstSequence(), "the first segment that is left is damaged");
        }
      }
    }
    throw new AssertionError("a cut that nothing lies behind");
  }

  /** Whether the log still has its beginning, or has one that was never any good. */
  private boolean isFromGenesis() {
    LogRun first = runs.log(0);
    return (first.firstSequence() == 1 && first.segments().get(0).number() == 0)
        || runs.heads().stream()
            .anyMatch(head -> head.sequence() == 1 && head.type() == RecordType.GENESIS);
  }

  /** The segment with the record behind which to begin. */
  ScanStart behindFloor(List<LogRun> listed) {
    List<LogRun> filled = listed.stream().filter(run -> !run.segments().isEmpty()).toList();
    LogRun cut = cutRightBehindFloor(filled);
    ScanStart start =
        cut != null
            ? ScanStart.of(cut, chain.floor() + 1)
            : new ScanStartFinder(filled, frame, chain.logTag()).find(chain.floor());
    // Runs before that one are cut off by it, or lie below: nothing depends on them.
    reset(
        start.run() == null ? listed : listed.subList(listed.indexOf(start.run()), listed.size()));
    return start;
  }

  /** The run that goes on there with a cut, so that none before it is needed; else null. */
  private LogRun cutRightBehindFloor(List<LogRun> filled) {
    LogRun found = null;
    for (RunHeader head : heads.of(filled)) {
      if (head.cuts(chain.logTag()) && head.isBegun()) {
        found = head.sequence() == chain.floor() + 1 ? head.log() : found;
        found = head.sequence() <= chain.floor() ? null : found;
      }
    }
    return found;
  }

  /**
   * As {@link #behindFloor}, when the records up to there have been given out.
   *
   * @throws RecordsRemovedException if the next one is not there any more
   */
  ScanStart onwards(List<LogRun> listed) {
    ScanStart start = behindFloor(listed);
    if (start.trouble() != null || !start.mayBegin(chain.floor() + 1)) {
      throw new RecordsRemovedException(
          ("The log in %s has moved on while it was read: record %d was removed, as the engine"
                  + " needs it no more. Read again from the first record that is left; a reader that"
                  + " is registered is waited for.")
              .formatted(directory.directory(), chain.floor() + 1));
    }
    return start;
  }

  private void reset(List<LogRun> from) {
    runs = new RunList(from, heads.of(from));
    chain.forgetLast();
  }
}
