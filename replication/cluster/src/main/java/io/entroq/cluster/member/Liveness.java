package io.entroq.cluster.member;

import java.time.Duration;
import java.util.Objects;

/**
 * After which silence members give each other up. The same for all members.
 *
 * @param heartbeatInterval how often a leader says that it is there
 * @param heartbeatTimeout how long a follower waits for that before it wants to vote; after a
 *     leader has died there is none for this, the {@code electionTimeout}, and what the election
 *     itself takes
 * @param electionTimeout how long a candidate waits for all votes before a majority does; so long
 *     it always waits, as who has died does not vote
 * @param canvassTimeout how long a member that starts waits for others before it does with a
 *     majority of them; at least twice the heartbeat's
 * @param sessionTimeout how long a member may be out of reach before its callers are taken to be
 *     gone
 * @param processTimeout how long a process may stand still before its driver and archive give it
 *     up, and it ends
 */
public record Liveness(
    Duration heartbeatInterval,
    Duration heartbeatTimeout,
    Duration electionTimeout,
    Duration canvassTimeout,
    Duration sessionTimeout,
    Duration processTimeout) {
  /** For members on machines that are not always quick. */
  public static final Liveness DEFAULT = withHeartbeatTimeout(Duration.ofMillis(600));

  /** Nothing is null, and nothing contradicts itself. */
  public Liveness {
    requirePositive("heartbeatInterval", heartbeatInterval);
    requirePositive("heartbeatTimeout", heartbeatTimeout);
    requirePositive("electionTimeout", electionTimeout);
    requirePositive("canvassTimeout", canvassTimeout);
    requirePositive("sessionTimeout", sessionTimeout);
    requirePositive("processTimeout", processTimeout);
    if (heartbeatTimeout.compareTo(heartbeatInterval.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "heartbeatTimeout is " + heartbeatTimeout + ", less than two of " + heartbeatInterval);
    }
    if (canvassTimeout.compareTo(heartbeatTimeout.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "canvassTimeout is " + canvassTimeout + ", less than two of " + heartbeatTimeout);
    }
  }

  /** The others in proportion to the time-out of the heartbeat. */
  public static Liveness withHeartbeatTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    return new Liveness(
        timeout.dividedBy(10),
        timeout,
        timeout.dividedBy(4),
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
