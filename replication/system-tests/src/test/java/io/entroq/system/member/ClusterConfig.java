package io.entroq.system.member;

import io.entroq.api.Durability;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration of a cluster under test.
 *
 * @param directory of the members' directories and logs
 * @param durability of all members
 * @param heartbeatTimeout of all members; long enough for a busy machine
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
  /** With default timeouts, and trimmed. */
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

  public ClusterConfig untrimmed() {
    return new ClusterConfig(
        directory, durability, heartbeatTimeout, processTimeout, clockSpread, false);
  }
}
