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
 * From where on the log is needed by members that may have to catch up: by all, or, when that is
 * more than is kept for those who are away, by the others, who are a majority.
 *
 * @param position in the log of the cluster; 0: all of it
 * @param lagging members for whom nothing is kept any more
 */
record RequiredLog(long position, SortedSet<Integer> lagging) {
  /**
   * A member of whom nothing is known may need all that there is: what it has reported before this
   * member began is not heard again. So what there is is kept for it, until that is too much.
   *
   * @param held the newest snapshot of each member; {@link SnapshotReports#NONE}: not known
   * @param start from where on there is log
   * @param commitPosition end of the log
   * @param bytesMax how much of the log may be kept for those who are away
   * @param behindBefore for whom nothing is kept until they report what can be used
   */
  static RequiredLog of(
      List<Long> held, long start, long commitPosition, long bytesMax, Set<Integer> behindBefore) {
    List<Integer> members =
        IntStream.range(0, held.size())
            .boxed()
            .sorted(Comparator.comparingLong(held::get))
            .toList();
    // The oldest that a majority has, each of them that one or a newer.
    int minority = held.size() - (held.size() / 2 + 1);
    long ofMajority = held.get(members.get(minority));
    List<Integer> lagging = new ArrayList<>();
    for (int member : members.subList(0, minority)) {
      long has = held.get(member);
      long needed = has == SnapshotReports.NONE ? start : has;
      boolean isPast = behindBefore.contains(member) && has < start;
      if (has < ofMajority && (isPast || commitPosition - needed > bytesMax)) {
        lagging.add(member);
      }
    }
    long needed = held.get(members.get(lagging.size()));
    return new RequiredLog(Math.max(0, needed), new TreeSet<>(lagging));
  }
}
