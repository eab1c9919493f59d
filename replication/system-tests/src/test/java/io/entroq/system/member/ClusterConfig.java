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
 * @param isTrimmed whether members take a snapshot every few seconds, keep little log below it, and
 *     have small files; else they are set up as usual, and no trial lasts until they do that
 */
public record ClusterConfig(
    Path directory,
    Durability durability,
    Duration heartbeatTimeout,
    Duration processTimeout,
    Duration clockSpread,
    boolean isTrimmed) {
  /** With the usual time-outs, and trimmed. */
  public static ClusterConfig in(Path directory) {
    return new ClusterConfig(
        directory,
        Durability.OS,
        Duration.ofSeconds(2),
        Duration.ofSeconds(12),
        Duration.ZERO,
        true);
  }

  /** The same with another durability. */
  public ClusterConfig withDurability(Durability other) {
    return new ClusterConfig(
        directory, other, heartbeatTimeout, processTimeout, clockSpread, isTrimmed);
  }

  /** The same with members whose clocks differ. */
  public ClusterConfig withClockSpread(Duration other) {
    return new ClusterConfig(
        directory, durability, heartbeatTimeout, processTimeout, other, isTrimmed);
  }

  /** The same with members that keep all log for as long as a trial lasts. */
  public ClusterConfig untrimmed() {
    return new ClusterConfig(
        directory, durability, heartbeatTimeout, processTimeout, clockSpread, false);
  }
}
