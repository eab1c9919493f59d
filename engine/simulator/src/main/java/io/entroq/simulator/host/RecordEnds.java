package io.entroq.simulator.host;

import io.entroq.engine.log.SegmentLayout;
import io.entroq.simulator.disk.SimulatedDisk;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.agrona.collections.IntArrayList;

/**
 * Where records end in their files, over all lives of engines, to check whether they are on the
 * disk. One thread.
 */
final class RecordEnds {
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();

  private record Segment(String path, long first, IntArrayList ends) {
    long last() {
      return first + ends.size() - 1;
    }

    int endOf(long sequence) {
      return ends.getInt((int) (Math.min(sequence, last()) - first));
    }
  }

  /** A record was appended. */
  void add(Path file, long sequence, long position, int length) {
    if (position == SegmentLayout.FIRST_RECORD_OFFSET) {
      segments.add(new Segment(file.toString(), sequence, new IntArrayList()));
    }
    segments.peekLast().ends.addInt(Math.toIntExact(position + length));
  }

  /** All records are on the disk, and the next one is in a new file. */
  void clear() {
    segments.clear();
  }

  /** Whether everything up to this record is on the disk. Forgets what comes before it. */
  boolean isForced(SimulatedDisk disk, long sequence) {
    while (!segments.isEmpty() && segments.peek().first <= sequence) {
      Segment oldest = segments.peek();
      if (!disk.isForced(oldest.path, oldest.endOf(sequence))) {
        return false;
      }
      if (oldest.last() > sequence || segments.size() == 1) {
        return true;
      }
      segments.poll();
    }
    return true;
  }
}
