package io.entroq.perf.replicated;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Kills leaders, and looks when a caller of another member has its next command committed. */
final class Failover {
  private final Members members;

  Failover(Members members) {
    this.members = members;
  }

  void measure(int kills, Report report) throws IOException, InterruptedException {
    Histogram answered = Histograms.ofCalls();
    Histogram led = Histograms.ofCalls();
    for (int kill = 0; kill < kills; kill++) {
      int leader = members.leader();
      MemberProcess survivor = members.member(Members.follower(leader));
      survivor.ask("commit");
      long termId = survivor.position().termId();
      long startNs = System.nanoTime();
      members.member(leader).kill();
      survivor.tell("commit");
      MemberProcess other = members.member(Members.follower(Members.follower(leader)));
      long ledNs = awaitNewLeader(other, termId) - startNs;
      survivor.answer();
      long answeredNs = System.nanoTime() - startNs;
      led.recordValue(ledNs);
      answered.recordValue(answeredNs);
      Report.note(
          "kill %d: a new leader after %d ms, an answer after %d ms",
          kill, ledNs / 1_000_000, answeredNs / 1_000_000);
      members.restart(leader);
    }
    Table table = new Table("ms after kill -9 of the leader", "p50", "p99", "longest");
    tell("a new leader", led, table, report);
    tell("the next command is committed", answered, table, report);
    table.print();
  }

  /** When it has come to a new term. */
  private static long awaitNewLeader(MemberProcess other, long termId)
      throws IOException, InterruptedException {
    while (true) {
      MemberPosition position = other.position();
      if (position.termId() > termId && position.isInTouch()) {
        return System.nanoTime();
      }
      Thread.sleep(2);
    }
  }

  private static void tell(String what, Histogram nanos, Table table, Report report) {
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("p50", nanos.getValueAtPercentile(50) / 1e6);
    millis.put("p99", nanos.getValueAtPercentile(99) / 1e6);
    millis.put("max", nanos.getMaxValue() / 1e6);
    table.row(what, millis.get("p50"), millis.get("p99"), millis.get("max"));
    report.figure("kill -9 of the leader: " + what + ", ms", millis);
  }
}
