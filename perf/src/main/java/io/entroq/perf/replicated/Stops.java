package io.entroq.perf.replicated;

import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Stops leaders for less than the heartbeat timeout, and measures what that costs a caller. */
final class Stops {
  private static final long STEP_MS = 20;

  private final Members members;

  Stops(Members members) {
    this.members = members;
  }

  /**
   * Stops the leader again and again while a follower's caller commits.
   *
   * @param length how long it is stopped each time
   */
  void measure(int stops, Duration length, Report report) throws IOException, InterruptedException {
    Histogram longest = LatencyTable.histogram();
    long termId = members.termId();
    for (int stop = 0; stop < stops; stop++) {
      int leader = members.leader();
      MemberProcess caller = members.member(Members.follower(leader));
      caller.ask("commit");
      caller.ask("watch");
      Thread.sleep(STEP_MS);
      members.member(leader).stopFor(length);
      Thread.sleep(STEP_MS);
      longest.recordValue(Long.parseLong(caller.ask("watched")));
    }
    LatencyTable.inMillis(report)
        .add("longest command, leader stopped for " + length.toMillis() + " ms", longest)
        .print();
    report.figure("terms in which the leader was stopped", members.termId() - termId);
    Report.note("%d new terms after %d stops", members.termId() - termId, stops);
  }
}
