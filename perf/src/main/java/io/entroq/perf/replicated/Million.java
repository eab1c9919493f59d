package io.entroq.perf.replicated;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Very many pending tasks: how long a snapshot holds callers up, and how soon a member is back. */
final class Million {
  private static final int VALUE_BYTES = 30;
  private static final long LOOK_MS = 5;

  private final Members members;

  Million(Members members) {
    this.members = members;
  }

  void measure(int tasks, int times, Report report) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    members.member(members.leader()).ask("fill %d %d".formatted(tasks, VALUE_BYTES));
    Report.note("%,d tasks wait after %.1f s", tasks, (System.nanoTime() - startNs) / 1e9);
    List<Double> waits = new ArrayList<>();
    List<Double> pauses = new ArrayList<>();
    List<Double> restarts = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      waits.add(snapshot());
      List<Double> ofMembers = pauses();
      pauses.add(Collections.max(ofMembers));
      restarts.add(restart());
      Report.note(
          "held up for %.0f ms, members for %s ms; back after %.0f ms",
          waits.get(i), ofMembers, restarts.get(i));
    }
    Table table = new Table("ms, with very many tasks pending", "least", "median", "greatest");
    tell("longest pause of a member for a snapshot", pauses, table, report);
    tell("longest command while a snapshot is taken", waits, table, report);
    tell("kill -9 of a follower, from its start to a command through it", restarts, table, report);
    table.print();
    report.figure("tasks pending", Map.of("tasks", tasks, "valueBytes", VALUE_BYTES));
  }

  /** The longest command of all members, in milliseconds. */
  private double snapshot() throws IOException, InterruptedException {
    int leader = members.leader();
    long before = members.member(leader).standing().snapshots();
    for (int id = 0; id < Members.COUNT; id++) {
      members.member(id).ask("watch");
    }
    if (!Boolean.parseBoolean(members.member(leader).ask("snapshot"))) {
      throw new IllegalStateException("the leader takes no snapshot");
    }
    while (members.member(leader).standing().snapshots() == before) {
      Thread.sleep(LOOK_MS);
    }
    double longest = 0;
    for (int id = 0; id < Members.COUNT; id++) {
      longest = Math.max(longest, Long.parseLong(members.member(id).ask("watched")) / 1e6);
    }
    return longest;
  }

  /** How long each member's state stood still for the last snapshot, in milliseconds. */
  private List<Double> pauses() throws IOException {
    List<Double> pauses = new ArrayList<>();
    for (int id = 0; id < Members.COUNT; id++) {
      pauses.add(Long.parseLong(members.member(id).ask("pause")) / 1_000_000.0);
    }
    return pauses;
  }

  private double restart() throws IOException, InterruptedException {
    int follower = Members.follower(members.leader());
    members.member(follower).kill();
    long startNs = System.nanoTime();
    members.restart(follower);
    members.member(follower).ask("commit");
    return (System.nanoTime() - startNs) / 1e6;
  }

  private static void tell(String what, List<Double> millis, Table table, Report report) {
    Spread spread = Spread.of(millis.stream().mapToDouble(Double::doubleValue).toArray());
    table.row(what, spread.least(), spread.median(), spread.greatest());
    report.figure(what + ", ms", spread.toMap());
  }
}
