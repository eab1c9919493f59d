package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import java.util.function.Supplier;

/** Lets a member that is tested have a clock that is wrong; nobody else should have one. */
public final class MemberClocks {
  private MemberClocks() {}

  /** Sets what makes the clock of a member. */
  public static MemberConfig.Builder set(MemberConfig.Builder config, Supplier<LogClock> clock) {
    return config.clock(clock);
  }
}
