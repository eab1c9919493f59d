package io.entroq.perf.replicated;

import io.entroq.cluster.member.MemberStatus;
import java.time.Duration;

/** What a process of a member hosts, and the loads that it puts on the cluster by itself. */
interface Hosted extends AutoCloseable {
  /** What the member is at. */
  MemberStatus status();

  /**
   * One command after another.
   *
   * @param bytes of a value, or of a message where there are no values
   */
  Outcome alone(Duration duration, int bytes);

  /** So many commands under way all the time. */
  Outcome flood(int inFlight, Duration duration, int bytes);

  /** So many callers that take tasks through the whole cycle in batches. */
  Outcome batches(int callers, Duration duration, int bytes);

  /** Has one command committed, however long that takes. */
  void commit();

  @Override
  void close();
}
