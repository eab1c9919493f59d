package io.entroq.perf.replicated;

import io.entroq.perf.process.Run;
import java.io.IOException;
import java.time.Duration;

/** A load that one of its members puts on a cluster. */
final class ClusterLoad {
  /** The frame that Aeron puts around a message in a session. */
  private static final int FRAME_BYTES = 64;

  /** Longer messages are split into fragments of this length. */
  private static final double FRAGMENT_BYTES = 1_408;

  private static final double PAYLOAD_SHARE = 1_376 / FRAGMENT_BYTES;
  private static final int COMMANDS_PER_CYCLE = 3;

  private final String kind;
  private final int callers;
  private final boolean isOnLeader;
  private final Duration duration;
  private int echoBytes;

  /**
   * @param kind what the member does: {@code alone}, {@code flood} or {@code batches}
   * @param callers the number of concurrent commands, or of callers
   * @param isOnLeader whether the leader puts it on, or a follower
   * @param echoBytes length of the echo's messages; for batches as much as the queue logs
   */
  ClusterLoad(String kind, int callers, boolean isOnLeader, Duration duration, int echoBytes) {
    this.kind = kind;
    this.callers = callers;
    this.isOnLeader = isOnLeader;
    this.duration = duration;
    this.echoBytes = echoBytes;
  }

  /** The length of a message that takes as much of the log as a command of one caller. */
  static int messageBytes(Members queue, Duration duration, int valueBytes)
      throws IOException, InterruptedException {
    return new ClusterLoad("alone", 1, true, duration, 0).run(queue, valueBytes).messageBytes;
  }

  Run runOnQueue(Members queue, int valueBytes) throws IOException, InterruptedException {
    LoggedRun logged = run(queue, valueBytes);
    if (isInBatches()) {
      echoBytes = logged.messageBytes;
    }
    return logged.run;
  }

  Run runOnEcho(Members echo) throws IOException, InterruptedException {
    return run(echo, echoBytes).run;
  }

  private boolean isInBatches() {
    return kind.equals("batches");
  }

  private LoggedRun run(Members members, int bytes) throws IOException, InterruptedException {
    int leader = members.leader();
    MemberProcess caller = members.member(isOnLeader ? leader : Members.follower(leader));
    Duration processors = members.processorTime();
    long position = members.member(leader).position().commitPosition();
    Outcome outcome =
        Outcome.parse(
            caller.ask("%s %d %d %d".formatted(kind, duration.toMillis(), bytes, callers)));
    double logged = members.member(leader).position().commitPosition() - position;
    double processorUs = members.processorTime().minus(processors).toNanos() / 1e3;
    double tasks = isInBatches() ? (double) HostedQueue.BATCH / COMMANDS_PER_CYCLE : 1;
    Run run =
        new Run(
            outcome.perSecond() * tasks,
            processorUs / outcome.commands(),
            outcome.p50Us(),
            outcome.p99Us());
    return new LoggedRun(run, messageBytes(logged / outcome.commands()));
  }

  private static int messageBytes(double logBytes) {
    double payload =
        logBytes > FRAGMENT_BYTES
            ? logBytes * PAYLOAD_SHARE - FRAME_BYTES / 2
            : logBytes - FRAME_BYTES;
    return (int) Math.max(EchoService.ANSWER_BYTES, payload);
  }

  /**
   * A run, and the length of a message that takes as much of the log as one of its commands did.
   */
  private record LoggedRun(Run run, int messageBytes) {}
}
