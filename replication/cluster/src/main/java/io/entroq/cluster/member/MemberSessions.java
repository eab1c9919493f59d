package io.entroq.cluster.member;

import io.aeron.Aeron;
import io.entroq.cluster.session.SessionConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Derives the configuration of a member's session from that of the member. */
final class MemberSessions {
  private static final Logger LOGGER = System.getLogger(MemberSessions.class.getName());
  private static final Duration TIMEOUT_BASE_MAX = Duration.ofSeconds(2);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private MemberSessions() {}

  /**
   * @param ingressStreamId of these members
   * @param sent called after each message is sent
   * @param ended called with the cause if the session ends for good
   * @param clientContext of the client of the driver
   */
  static SessionConfig config(
      MemberConfig config,
      int ingressStreamId,
      Runnable sent,
      Consumer<Throwable> ended,
      Supplier<Aeron.Context> clientContext) {
    return new SessionConfig(
        clientContext,
        config.commandChannel(),
        ingressStreamId,
        MemberAddress.forIngress(config.members()),
        "aeron:udp?endpoint=" + config.address().host() + ":0",
        // Longer than connecting takes on busy processors; a shorter timeout would never succeed.
        timeout(config, 4),
        timeout(config, 8),
        config.liveness().heartbeatInterval(),
        CLOSE_TIMEOUT,
        sent,
        config.secret(),
        error -> LOGGER.log(Level.DEBUG, () -> "session of member " + config.memberId(), error),
        ended);
  }

  /** A multiple of the heartbeat timeout, which counts at most {@link #TIMEOUT_BASE_MAX}. */
  private static Duration timeout(MemberConfig config, int times) {
    Duration timeout = config.liveness().heartbeatTimeout();
    return (timeout.compareTo(TIMEOUT_BASE_MAX) < 0 ? timeout : TIMEOUT_BASE_MAX)
        .multipliedBy(times);
  }
}
