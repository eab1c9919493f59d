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
 * Which snapshots members have said that they hold, and whether these are of the same state as this
 * member's.
 *
 * <p>What members say is in the log behind the snapshots of which they speak. So a member that
 * begins with a snapshot hears again all that was ever said of it, and nothing of this need be in
 * snapshots. Nothing of it touches the state either: what follows from it follows here alone.
 *
 * <p>Applying thread, but for what says otherwise.
 */
public final class SnapshotReports {
  /** Newest snapshots of this member whose digests are remembered. */
  private static final int REMEMBERED = 8;

  /** Nothing is known of a member. */
  public static final long NONE = -1;

  private final int memberId;
  private final int majority;
  private final Consumer<StateDivergence> alarm;
  private final TreeMap<Long, StateDigest> own = new TreeMap<>();
  private final TreeMap<Long, Map<Integer, StateDigest>> others = new TreeMap<>();

  /** By member; the newest that it holds, as far as is known the same as this one's. */
  private final long[] held;

  private long divergences;
  private Optional<StateDivergence> last = Optional.empty();
  private final AtomicBoolean isRequested = new AtomicBoolean();

  /** For other threads. */
  private volatile Held published;

  /**
   * @param memberId this one
   * @param members how many there are
   * @param alarm hears of each disagreement, and again when more is known of it; applying thread
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
   * What is known of who holds what; any thread.
   *
   * @param positions by member, in the log of the cluster: the newest snapshot that it holds with
   *     the same state as this member; {@link #NONE}: nothing is known
   * @param digests of this member's newest snapshots, by position, oldest first
   * @param divergences in how many snapshots members were found to differ since this one began
   */
  public record Held(
      List<Long> positions, SortedMap<Long, StateDigest> digests, long divergences) {}

  /** How many members there are; any thread. */
  public int members() {
    return held.length;
  }

  /** What is known now; not to be changed. Any thread. */
  public Held held() {
    return published;
  }

  /** Whether a member has wished for a snapshot since this was asked last; any thread. */
  public boolean takeSnapshotRequest() {
    return isRequested.getAndSet(false);
  }

  /** A member wishes for a snapshot. */
  void onSnapshotRequested() {
    isRequested.set(true);
  }

  /** This member is at a snapshot, or has begun with one. */
  void reached(long position, StateDigest digest) {
    own.put(position, digest);
    while (own.size() > REMEMBERED) {
      own.pollFirstEntry();
    }
    others.headMap(own.firstKey()).clear();
    publish();
  }

  /**
   * Takes in what a member has said.
   *
   * @throws DivergedException if a majority agrees on another state than this member has
   */
  void onReport(SnapshotReport report) {
    StateDigest mine = own.get(report.position());
    boolean isSame = mine == null || mine.equals(report.digest());
    if (isSame && report.position() > held[report.memberId()]) {
      held[report.memberId()] = report.position();
      publish();
    }
    if (mine == null || report.memberId() == memberId) {
      // Of what this member has said itself it only has to know that it came out.
      return;
    }
    Map<Integer, StateDigest> said =
        others.computeIfAbsent(report.position(), position -> new HashMap<>());
    StateDigest before = said.put(report.memberId(), report.digest());
    if (!report.digest().equals(before)) {
      compare(report.position(), mine, said);
    }
  }

  private void compare(long position, StateDigest mine, Map<Integer, StateDigest> said) {
    Map<Integer, StateDigest> all = new HashMap<>(said);
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
          "the state of this member (%d) is not that of the others: %s. It stops, and does not use its snapshots from there on again. Start it once more: it begins from the last on which all agreed. If that happens again, replace it by a copy of a healthy member, and keep its directory: there is a defect in the machine or in the program"
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
