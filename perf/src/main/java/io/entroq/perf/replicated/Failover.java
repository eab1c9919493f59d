package io.entroq.perf.replicated;

import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Ends leaders, and measures how soon a command through another member is committed. */
final class Failover {
  private final Members members;

  Failover(Members members) {
    this.members = members;
  }

  /** How a leader ends. */
  enum End {
    KILL("kill -9 of the leader"),
    LEAVE("orderly end of the leader");

    private final String label;

    End(String label) {
      this.label = label;
    }

    private void begin(MemberProcess leader) throws IOException, InterruptedException {
      if (this == KILL) {
        leader.kill();
      } else {
        leader.send("close");
      }
    }
  }

  void measure(End end, int times, Report report) throws IOException, InterruptedException {
    Histogram committed = LatencyTable.histogram();
    Histogram elected = LatencyTable.histogram();
    for (int time = 0; time < times; time++) {
      int leader = members.leader();
      MemberProcess survivor = members.member(Members.follower(leader));
      survivor.ask("commit");
      long termId = survivor.position().termId();
      long startNs = System.nanoTime();
      end.begin(members.member(leader));
      survivor.send("commit");
      awaitNewLeader(members.member(Members.follower(Members.follower(leader))), termId);
      final long electedNs = System.nanoTime() - startNs;
      survivor.awaitAnswer();
      long committedNs = System.nanoTime() - startNs;
      elected.recordValue(electedNs);
      committed.recordValue(committedNs);
      Report.note(
          "%s %d: a new leader after %d ms, a commit after %d ms",
          end.label, time, electedNs / 1_000_000, committedNs / 1_000_000);
      members.restart(leader);
    }
    LatencyTable.inMillis(report)
        .add(end.label + " to a new leader", elected)
        .add(end.label + " to the next commit", committed)
        .print();
  }

  private static void awaitNewLeader(MemberProcess other, long termId)
      throws IOException, InterruptedException {
    MemberProcess.Position position = other.position();
    while (position.termId() <= termId || !position.isElected()) {
      Thread.sleep(2);
      position = other.position();
    }
  }
}
