package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import java.util.function.Supplier;

/**
 * Lets a member that is tested have a clock that is wrong, and small files; nobody else should have
 * them.
 */
public final class MemberSeams {
  private MemberSeams() {}

  /** Sets what makes the clock of a member. */
  public static MemberConfig.Builder clock(MemberConfig.Builder config, Supplier<LogClock> clock) {
    return config.clock(clock);
  }

  /** Sets the length of terms and of files of recordings. */
  public static MemberConfig.Builder fileBytes(MemberConfig.Builder config, int bytes) {
    return config.lengths(bytes, bytes);
  }
}
