package io.entroq.cluster.service;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The snapshots that members have reported, compared with this member's states.
 *
 * <p>A report follows its snapshot in the log. So a member that starts with a snapshot sees all
 * reports about it again, and snapshots need not contain any of this. It is not part of the state.
 *
 * <p>Applying thread, unless noted otherwise.
 */
public final class SnapshotReports {
  /** How many of this member's newest digests are kept. */
  private static final int REMEMBERED = 8;

  /** Marks a member that has not reported. */
  public static final long NONE = -1;

  private final int memberId;
  private final int majority;
  private final Consumer<StateDivergence> alarm;
  private final TreeMap<Long, StateDigest> own = new TreeMap<>();
  private final TreeMap<Long, Map<Integer, StateDigest>> others = new TreeMap<>();

  /** By member: its newest reported snapshot, unless known to differ from this member's. */
  private final long[] held;

  private long divergences;
  private Optional<StateDivergence> last = Optional.empty();
  private final AtomicBoolean isRequested = new AtomicBoolean();

  /** A copy for other threads. */
  private volatile Held published;

  /**
   * @param memberId this member
   * @param members number of members
   * @param alarm called for each divergence, and again when more members report; applying thread
   */
  public SnapshotReports(int memberId, int members, Consumer<StateDivergence> alarm) {
    this.memberId = memberId;
    this.majority = members / 2 + 1;
    this.alarm = alarm;
    held = new long[members];
    Arrays.fill(held, NONE);
    publish();
  }

  /**
   * The snapshots that members hold. Any thread.
   *
   * @param positions by member: its newest snapshot, unless known to differ from this member's;
   *     {@link #NONE} if unknown
   * @param digests of this member's newest snapshots, by position, oldest first
   * @param divergences number of snapshots in which members differed since the start
   */
  public record Held(
      List<Long> positions, SortedMap<Long, StateDigest> digests, long divergences) {}

  /** The number of members. Any thread. */
  public int members() {
    return held.length;
  }

  /** The current knowledge; must not be modified. Any thread. */
  public Held held() {
    return published;
  }

  /** Whether a member has requested a snapshot since the last call. Any thread. */
  public boolean takeSnapshotRequest() {
    return isRequested.getAndSet(false);
  }

  void onSnapshotRequested() {
    isRequested.set(true);
  }

  /** This member takes a snapshot, or has started with one. */
  void onOwnSnapshot(long position, StateDigest digest) {
    own.put(position, digest);
    while (own.size() > REMEMBERED) {
      own.pollFirstEntry();
    }
    others.headMap(own.firstKey()).clear();
    publish();
  }

  /**
   * Handles a member's report.
   *
   * @throws DivergedException if a majority has another state than this member
   */
  void onReport(SnapshotReport report) {
    StateDigest mine = own.get(report.position());
    boolean isSame = mine == null || mine.equals(report.digest());
    if (isSame && report.position() > held[report.memberId()]) {
      held[report.memberId()] = report.position();
      publish();
    }
    if (mine == null || report.memberId() == memberId) {
      // There is nothing to compare.
      return;
    }
    Map<Integer, StateDigest> reported =
        others.computeIfAbsent(report.position(), position -> new HashMap<>());
    StateDigest before = reported.put(report.memberId(), report.digest());
    if (!report.digest().equals(before)) {
      compare(report.position(), mine, reported);
    }
  }

  private void compare(long position, StateDigest mine, Map<Integer, StateDigest> reported) {
    Map<Integer, StateDigest> all = new HashMap<>(reported);
    all.put(memberId, mine);
    if (all.values().stream().distinct().count() == 1) {
      return;
    }
    StateDivergence found = new StateDivergence(position, all, minority(all));
    if (last.isEmpty() || last.get().position() != position) {
      divergences++;
      publish();
    }
    last = Optional.of(found);
    alarm.accept(found);
    if (found.minority().contains(memberId)) {
      throw new DivergedException(
          position,
          ("the state of member %d differs from that of the others: %s. It ends and will not use its"
                  + " snapshots from there on. Restart it: it begins with the last snapshot on which"
                  + " all agreed. If this happens again, the machine or the program has a defect:"
                  + " replace the member from a healthy one, and keep its directory")
              .formatted(memberId, found.text()));
    }
  }

  private Set<Integer> minority(Map<Integer, StateDigest> all) {
    Map<StateDigest, Integer> counts = new HashMap<>();
    all.values().forEach(digest -> counts.merge(digest, 1, Integer::sum));
    Set<Integer> minority = new HashSet<>();
    counts.forEach(
        (digest, count) -> {
          if (count >= majority) {
            all.forEach(
                (member, other) -> {
                  if (!other.equals(digest)) {
                    minority.add(member);
                  }
                });
          }
        });
    return minority;
  }

  private void publish() {
    published = new Held(Arrays.stream(held).boxed().toList(), new TreeMap<>(own), divergences);
  }
}
