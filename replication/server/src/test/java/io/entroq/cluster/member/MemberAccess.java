package io.entroq.cluster.member;

import io.entroq.cluster.level.LevelRange;
import io.entroq.engine.time.LogClock;

/** What tests of served members do to them, and nobody else should. */
public final class MemberAccess {
  private MemberAccess() {}

  /** Gives a member a clock of the test's. */
  public static void setClock(MemberConfig.Builder config, LogClock clock) {
    config.clock(() -> clock);
  }

  /** Makes a member report other behavior levels than its build supports. */
  public static void setLevels(MemberConfig.Builder config, LevelRange levels) {
    config.levels(levels);
  }

  /** Ends a member as if its process had been killed, as far as the others can see. */
  public static void kill(ClusterMember member) {
    member.kill();
  }
}
