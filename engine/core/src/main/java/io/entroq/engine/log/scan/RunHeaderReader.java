package io.entroq.engine.log.scan;

import io.entroq.codec.command.CutDecoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.SegmentLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the first record of runs. */
final class RunHeaderReader {
  private final RecordFrame frame;
  private final CutDecoder cut = new CutDecoder();

  RunHeaderReader(RecordFrame frame) {
    this.frame = frame;
  }

  /** The headers of the runs that ever got a record. */
  List<RunHeader> of(List<LogRun> runs) {
    List<RunHeader> heads = new ArrayList<>();
    for (LogRun run : runs) {
      RunHeader head = run.segments().isEmpty() ? null : look(run);
      if (head != null) {
        heads.add(head);
      }
    }
    return heads;
  }

  private RunHeader look(LogRun run) {
    try (SegmentReader segment = new SegmentReader(run.segments().get(0))) {
      RecordFault fault = segment.check(frame, SegmentLayout.FIRST_RECORD_OFFSET);
      if (fault == RecordFault.NONE) {
        boolean isCut = frame.type() == RecordType.CUT && isWellFormedCut(segment);
        int cutRun = isCut ? cutRun(segment) : 0;
        return new RunHeader(run, frame.sequence(), frame.type(), frame.logTag(), isCut, cutRun);
      }
      boolean isBlank = run.segments().size() == 1 && segment.isBlank() && !segment.isForeign();
      return isBlank ? null : new RunHeader(run, 0, 0, 0, false, 0);
    }
  }

  /** Whether the cut at the start of a run names the previous record as the last good one. */
  private boolean isWellFormedCut(SegmentReader segment) {
    try {
      int payload = SegmentLayout.FIRST_RECORD_OFFSET + RecordFrame.HEADER_BYTES;
      cut.wrap(segment.buffer(), payload, frame.payloadLength());
      return cut.afterSequence() + 1 == frame.sequence();
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  /** The run in which, according to the last read cut, the log ended; or 0. */
  private int cutRun(SegmentReader segment) {
    if (cut.cutOffset() > 0 && cut.droppedBytes() == 0) {
      // An operator's cut, which may discard good records and whole runs.
      return 0;
    }
    byte[] name = new byte[cut.segmentLength()];
    segment.buffer().getBytes(cut.segmentOffset(), name);
    return LogDirectory.runNumber(new String(name, StandardCharsets.UTF_8));
  }
}
