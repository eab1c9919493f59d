package io.entroq.system.member;

import io.entroq.api.Durability;
import io.entroq.cluster.member.Liveness;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration of a cluster under test.
 *
 * @param directory of the members' directories and logs
 * @param durability of all members
 * @param heartbeatTimeout of all members
 * @param processTimeout after which a stalled process ends
 * @param clockSpread how far each member's clock is ahead of the one before
 * @param isTrimmed whether members take a snapshot every few seconds, keep little log, and use
 *     small files, which a trial would not reach with the defaults
 */
public record ClusterConfig(
    Path directory,
    Durability durability,
    Duration heartbeatTimeout,
    Duration processTimeout,
    Duration clockSpread,
    boolean isTrimmed) {
  /** With timeouts that suit a busy machine, and trimmed. */
  public static ClusterConfig in(Path directory) {
    return new ClusterConfig(
        directory,
        Durability.OS,
        Duration.ofSeconds(2),
        Duration.ofSeconds(12),
        Duration.ZERO,
        true);
  }

  public ClusterConfig withDurability(Durability other) {
    return new ClusterConfig(
        directory, other, heartbeatTimeout, processTimeout, clockSpread, isTrimmed);
  }

  public ClusterConfig withClockSpread(Duration other) {
    return new ClusterConfig(
        directory, durability, heartbeatTimeout, processTimeout, other, isTrimmed);
  }

  /** With the timeouts of a product that is not configured. */
  public ClusterConfig withDefaultTimeouts() {
    return new ClusterConfig(
        directory,
        durability,
        Liveness.DEFAULT.heartbeatTimeout(),
        Liveness.DEFAULT.processTimeout(),
        clockSpread,
        isTrimmed);
  }

  public ClusterConfig untrimmed() {
    return new ClusterConfig(
        directory, durability, heartbeatTimeout, processTimeout, clockSpread, false);
  }
}
