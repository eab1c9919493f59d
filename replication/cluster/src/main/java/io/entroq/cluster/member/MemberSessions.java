package io.entroq.cluster.member;

import io.entroq.cluster.session.SessionConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;
import org.agrona.concurrent.EpochClock;

/** How the session of a member with its cluster is set up. */
final class MemberSessions {
  private static final Logger LOGGER = System.getLogger(MemberSessions.class.getName());
  private static final Duration PATIENCE_MAX = Duration.ofSeconds(2);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private MemberSessions() {}

  /**
   * What follows from the member's own settings.
   *
   * @param sent is told that something has been sent
   * @param ended hears of what nothing can be sent any more for
   * @param clock that the driver goes by
   */
  static SessionConfig config(
      MemberConfig config, Runnable sent, Consumer<Throwable> ended, EpochClock clock) {
    return new SessionConfig(
        config.driverDirectory().toString(),
        clock,
        config.commandChannel(),
        MemberAddress.forIngress(config.members()),
        "aeron:udp?endpoint=" + config.address().host() + ":0",
        // Longer than all this takes where many want the processors: who begins anew too soon never
        // gets there.
        timeout(config, 4),
        timeout(config, 8),
        config.liveness().heartbeatInterval(),
        CLOSE_TIMEOUT,
        sent,
        config.secret(),
        error -> LOGGER.log(Level.DEBUG, () -> "session of member " + config.memberId(), error),
        ended);
  }

  /** So many times what a follower waits for its leader, where that is not very long. */
  private static Duration timeout(MemberConfig config, int times) {
    Duration timeout = config.liveness().heartbeatTimeout();
    return (timeout.compareTo(PATIENCE_MAX) < 0 ? timeout : PATIENCE_MAX).multipliedBy(times);
  }
}
