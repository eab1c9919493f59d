package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Finds out whether a member without a leader can still catch up. One thread. */
final class CatchUpCheck {
  /** How long a member is without a leader before each check. */
  private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

  private final UpkeepTarget member;
  private long lastNs = System.nanoTime();

  CatchUpCheck(UpkeepTarget member) {
    this.member = member;
  }

  /**
   * Asks the other members where their logs start, if a check is due.
   *
   * @throws BehindException if no member has the log that this one lacks
   */
  void checkIfDue() {
    long nowNs = System.nanoTime();
    if (member.hasLeader()) {
      lastNs = nowNs;
    } else if (nowNs - lastNs > INTERVAL_NS) {
      lastNs = nowNs;
      check();
    }
  }

  private void check() {
    Map<Integer, OptionalLong> starts = new HashMap<>();
    member.otherArchives().forEach((id, archive) -> starts.put(id, startOf(archive)));
    OptionalLong kept = kept(starts, member.leaderId());
    long end = kept.isPresent() ? end() : 0;
    if (kept.isPresent() && kept.getAsLong() > end) {
      throw new BehindException(member.memberId(), end, kept.getAsLong());
    }
  }

  /**
   * The earliest position of the log that another member has. A member that does not answer may be
   * unreachable for a moment and have more than the others. So all must answer, or else the leader,
   * whose log is complete.
   *
   * @param starts by member, where its log starts; empty if it has not answered
   * @param leaderId the leader; negative if unknown
   * @return empty if too few have answered
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
