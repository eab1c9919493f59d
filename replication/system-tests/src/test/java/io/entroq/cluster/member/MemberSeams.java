package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import java.util.function.Supplier;

/** Gives tests a member with a wrong clock or small files. */
public final class MemberSeams {
  private MemberSeams() {}

  public static MemberConfig.Builder clock(MemberConfig.Builder config, Supplier<LogClock> clock) {
    return config.clock(clock);
  }

  /** Sets the length of log terms and of recording files. */
  public static MemberConfig.Builder fileBytes(MemberConfig.Builder config, int bytes) {
    return config.lengths(bytes, bytes);
  }
}
