package io.entroq.cluster.member;

import java.time.Duration;
import java.util.Objects;

/**
 * The timeouts by which members detect failures. The same for all members.
 *
 * @param heartbeatInterval how often the leader sends a heartbeat
 * @param heartbeatTimeout how long a follower waits for a heartbeat before it starts an election.
 *     After a leader dies there is no leader for this time, the {@code electionTimeout}, and the
 *     election itself
 * @param electionTimeout how long a candidate waits for all votes before a majority is enough. It
 *     always waits in full after a member has died, because that one does not vote
 * @param canvassTimeout how long a starting member waits for all others before a majority is
 *     enough; at least twice the heartbeat timeout
 * @param sessionTimeout how long a member may be unreachable before its callers count as gone
 * @param processTimeout how long a process may stall before its driver gives up the other
 *     components and the member ends
 */
public record Liveness(
    Duration heartbeatInterval,
    Duration heartbeatTimeout,
    Duration electionTimeout,
    Duration canvassTimeout,
    Duration sessionTimeout,
    Duration processTimeout) {
  /** Tolerates machines that are slow at times. */
  public static final Liveness DEFAULT = withHeartbeatTimeout(Duration.ofMillis(600));

  public Liveness {
    requirePositive("heartbeatInterval", heartbeatInterval);
    requirePositive("heartbeatTimeout", heartbeatTimeout);
    requirePositive("electionTimeout", electionTimeout);
    requirePositive("canvassTimeout", canvassTimeout);
    requirePositive("sessionTimeout", sessionTimeout);
    requirePositive("processTimeout", processTimeout);
    if (heartbeatTimeout.compareTo(heartbeatInterval.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "heartbeatTimeout must be at least twice heartbeatInterval, %s, is %s"
              .formatted(heartbeatInterval, heartbeatTimeout));
    }
    if (canvassTimeout.compareTo(heartbeatTimeout.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "canvassTimeout must be at least twice heartbeatTimeout, %s, is %s"
              .formatted(heartbeatTimeout, canvassTimeout));
    }
  }

  /** Derives the other timeouts from the heartbeat timeout. */
  public static Liveness withHeartbeatTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    return new Liveness(
        timeout.dividedBy(20),
        timeout,
        timeout.dividedBy(8),
        timeout.multipliedBy(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(10));
  }

  private static void requirePositive(String name, Duration duration) {
    Objects.requireNonNull(duration, name);
    if (duration.toMillis() < 1 || duration.compareTo(Duration.ofDays(1_000)) > 0) {
      throw new IllegalArgumentException(
          name + " must be from 1 millisecond to 1,000 days, is " + duration);
    }
  }
}
