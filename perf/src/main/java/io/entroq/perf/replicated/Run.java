package io.entroq.perf.replicated;

import java.io.IOException;
import java.time.Duration;

/**
 * What one run of a load on a cluster came to.
 *
 * @param outcome for whoever asked
 * @param processorUs that all members together took for a command, in microseconds
 * @param logBytes by which the log has grown for each
 */
record Run(Outcome outcome, double processorUs, double logBytes) {
  /** A frame of Aeron, and what goes around a message in a session. */
  private static final int ALONG_BYTES = 64;

  private static final double PAYLOAD_SHARE = 1_376.0 / 1_408;

  /**
   * Puts a load on a cluster.
   *
   * @param bytes of a value, or of a message where there are no values
   */
  static Run of(ClusterLoad load, Members members, Duration duration, int bytes)
      throws IOException, InterruptedException {
    int leader = members.leader();
    MemberProcess asking = members.member(load.byLeader() ? leader : Members.follower(leader));
    Duration processors = members.processorTime();
    long position = members.member(leader).position().commitPosition();
    Outcome outcome =
        Outcome.parse(
            asking.ask(
                "%s %d %d %d".formatted(load.kind(), duration.toMillis(), bytes, load.callers())));
    long logged = members.member(leader).position().commitPosition() - position;
    double spentUs = members.processorTime().minus(processors).toNanos() / 1e3;
    return new Run(outcome, spentUs / outcome.commands(), (double) logged / outcome.commands());
  }

  /** How long a message is that takes as much of the log. */
  int messageBytes() {
    double along = logBytes > 1_408 ? logBytes * PAYLOAD_SHARE - ALONG_BYTES / 2 : logBytes - 64;
    return (int) Math.max(EchoService.ANSWER_BYTES, along);
  }
}
