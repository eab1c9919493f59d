package io.entroq.cluster.retention;

import io.entroq.cluster.service.SnapshotReports;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The part of the log that members may need to catch up: all of them, or only a majority if the
 * others would need more than is kept for members that are away.
 *
 * @param position where that part starts; 0 if the whole log is needed
 * @param lagging members for which no more log is kept
 */
record RequiredLog(long position, SortedSet<Integer> lagging) {
  /**
   * Computes the required log. A member about which nothing is known may need all of the log,
   * because reports from before this member's start are not repeated. So the whole log is kept for
   * it, up to the limit.
   *
   * @param held position of each member's newest snapshot; {@link SnapshotReports#NONE} if unknown
   * @param start of the log
   * @param commitPosition end of the log
   * @param bytesMax how much log may be kept for members that are away
   * @param laggingBefore members that were lagging, and stay so until they report a snapshot that
   *     is recent enough
   */
  static RequiredLog of(
      List<Long> held, long start, long commitPosition, long bytesMax, Set<Integer> laggingBefore) {
    List<Integer> members =
        IntStream.range(0, held.size())
            .boxed()
            .sorted(Comparator.comparingLong(held::get))
            .toList();
    // The newest position that a majority has reached.
    int minority = held.size() - (held.size() / 2 + 1);
    long majorityPosition = held.get(members.get(minority));
    List<Integer> lagging = new ArrayList<>();
    for (int member : members.subList(0, minority)) {
      long position = held.get(member);
      long needed = position == SnapshotReports.NONE ? start : position;
      boolean isLost = laggingBefore.contains(member) && position < start;
      if (position < majorityPosition && (isLost || commitPosition - needed > bytesMax)) {
        lagging.add(member);
      }
    }
    long needed = held.get(members.get(lagging.size()));
    return new RequiredLog(Math.max(0, needed), new TreeSet<>(lagging));
  }
}
