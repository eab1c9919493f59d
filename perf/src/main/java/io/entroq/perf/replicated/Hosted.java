package io.entroq.perf.replicated;

import io.entroq.cluster.member.MemberStatus;
import java.time.Duration;

/** A member and the loads that it can put on its cluster. */
interface Hosted extends AutoCloseable {
  MemberStatus status();

  /**
   * Sends one command after another.
   *
   * @param bytes length of a value, or of the echo's messages
   */
  Outcome alone(Duration duration, int bytes);

  /** Keeps this many commands in flight. */
  Outcome flood(int inFlight, Duration duration, int bytes);

  /** Takes tasks through the whole cycle in batches, by this many callers. */
  Outcome batches(int callers, Duration duration, int bytes);

  /** Returns once a command is committed. */
  void commit();

  @Override
  void close();
}
