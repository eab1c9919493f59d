package io.entroq.system.member;

import io.entroq.api.Durability;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a cluster that is tested is like.
 *
 * @param directory of its members' directories and logs
 * @param durability of all members
 * @param heartbeatTimeout of all members; long enough for a machine that does much else
 * @param processTimeout for which a process may stand still
 * @param clockSpread by which each member's clock is ahead of the one before
 */
public record ClusterConfig(
    Path directory,
    Durability durability,
    Duration heartbeatTimeout,
    Duration processTimeout,
    Duration clockSpread) {
  /** With the usual time-outs. */
  public static ClusterConfig in(Path directory) {
    return new ClusterConfig(
        directory, Durability.OS, Duration.ofSeconds(2), Duration.ofSeconds(12), Duration.ZERO);
  }

  /** The same with another durability. */
  public ClusterConfig withDurability(Durability other) {
    return new ClusterConfig(directory, other, heartbeatTimeout, processTimeout, clockSpread);
  }

  /** The same with members whose clocks differ. */
  public ClusterConfig withClockSpread(Duration other) {
    return new ClusterConfig(directory, durability, heartbeatTimeout, processTimeout, other);
  }
}
