package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Finds out whether a member that does not get in touch is too far behind for it. One thread. */
final class CatchUpCheck {
  /** Without a leader for so long, a member asks; and again after as long. */
  private static final long LONELY_NS = TimeUnit.SECONDS.toNanos(5);

  private final UpkeepTarget member;
  private long inTouchNs = System.nanoTime();

  CatchUpCheck(UpkeepTarget member) {
    this.member = member;
  }

  /**
   * Asks the other members from where on they have the log, if it is time for that; waits for those
   * that do not answer.
   *
   * @throws BehindException if nobody has what it lacks
   */
  void look() {
    long nowNs = System.nanoTime();
    if (member.isInTouch()) {
      inTouchNs = nowNs;
    } else if (nowNs - inTouchNs > LONELY_NS) {
      inTouchNs = nowNs;
      ask();
    }
  }

  private void ask() {
    Map<Integer, OptionalLong> starts = new HashMap<>();
    member.otherArchives().forEach((id, archive) -> starts.put(id, startOf(archive)));
    OptionalLong kept = kept(starts, member.leaderId());
    long end = kept.isPresent() ? end() : 0;
    if (kept.isPresent() && kept.getAsLong() > end) {
      throw new BehindException(member.memberId(), end, kept.getAsLong());
    }
  }

  /**
   * From where on somebody has the log. Whoever does not answer may be out of reach for a moment,
   * and may have more than the others; he is only left out if there is a leader without him, who
   * has said what he has.
   *
   * @param starts by member, from where on it has the log; empty: it has not answered
   * @param leaderId who leads; negative: nobody is known to
   * @return empty if that cannot be said yet
   */
  static OptionalLong kept(Map<Integer, OptionalLong> starts, int leaderId) {
    boolean haveAllAnswered = starts.values().stream().allMatch(OptionalLong::isPresent);
    boolean hasLeaderAnswered = starts.getOrDefault(leaderId, OptionalLong.empty()).isPresent();
    return haveAllAnswered || hasLeaderAnswered
        ? starts.values().stream().flatMapToLong(OptionalLong::stream).min()
        : OptionalLong.empty();
  }

  private static OptionalLong startOf(AeronArchive.Context context) {
    try (RaftArchive archive = new RaftArchive(context)) {
      return archive.log().stream().mapToLong(RaftArchive.Recording::startPosition).findFirst();
    } catch (AeronException e) {
      return OptionalLong.empty();
    }
  }

  private long end() {
    try (RaftArchive archive = new RaftArchive(member.archive())) {
      return archive.log().map(archive::endOf).orElse(0L);
    }
  }
}
