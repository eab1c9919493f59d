package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds out whether a member that does not get in touch is too far behind for it. */
final class CatchUpCheck {
  private CatchUpCheck() {}

  /**
   * Asks the other members from where on they have the log; waits for those that do not answer.
   *
   * @return what to tell the operator, if all that answer have only what is newer
   */
  static Optional<BehindException> look(Upkept member) {
    OptionalLong kept = OptionalLong.empty();
    for (AeronArchive.Context context : member.otherArchives()) {
      OptionalLong start = startOf(context);
      if (start.isPresent()) {
        kept = OptionalLong.of(Math.min(kept.orElse(Long.MAX_VALUE), start.getAsLong()));
      }
    }
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    long end = end(member);
    return kept.getAsLong() > end
        ? Optional.of(new BehindException(member.memberId(), end, kept.getAsLong()))
        : Optional.empty();
  }

  private static OptionalLong startOf(AeronArchive.Context context) {
    try (RaftArchive archive = new RaftArchive(context)) {
      return archive.log().stream().mapToLong(RaftArchive.Recording::startPosition).findFirst();
    } catch (AeronException e) {
      return OptionalLong.empty();
    }
  }

  private static long end(Upkept member) {
    try (RaftArchive archive = new RaftArchive(member.archive())) {
      return archive.log().map(archive::endOf).orElse(0L);
    }
  }
}
