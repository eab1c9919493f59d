package io.entroq.perf.replicated;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Very many pending tasks: how long a snapshot holds callers up, and how soon a member is back. */
final class Million {
  private static final int VALUE_BYTES = 30;
  private static final long LOOK_MS = 5;

  /** So that the mirrors have taken theirs of the one before: the cluster's are minutes apart. */
  private static final long REST_MS = 5_000;

  /** Snapshots after which the compilers have done with what writes them. */
  private static final int WARM_UPS = 3;

  private final Members members;

  Million(Members members) {
    this.members = members;
  }

  void measure(int tasks, int times, Report report) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    members.member(members.leader()).ask("fill %d %d".formatted(tasks, VALUE_BYTES));
    Report.note("%,d tasks wait after %.1f s", tasks, (System.nanoTime() - startNs) / 1e9);
    for (int i = 0; i < WARM_UPS; i++) {
      Report.note("warm-up: held up for %.0f ms", snapshot());
    }
    List<Double> pauses = new ArrayList<>();
    List<Double> restarts = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      pauses.add(snapshot());
      Report.note("held up for %.0f ms", pauses.get(i));
    }
    for (int i = 0; i < times; i++) {
      restarts.add(restart());
      Report.note("back after %.0f ms", restarts.get(i));
    }
    Table table = new Table("ms, with very many tasks pending", "least", "median", "greatest");
    tell("longest command while a snapshot is taken", pauses, table, report);
    tell("kill -9 of a follower, from its start to a command through it", restarts, table, report);
    table.print();
    report.figure("tasks pending", Map.of("tasks", tasks, "valueBytes", VALUE_BYTES));
  }

  /** The longest command of all members, in milliseconds. */
  private double snapshot() throws IOException, InterruptedException {
    Thread.sleep(REST_MS);
    int leader = members.leader();
    long[] before = taken();
    for (int id = 0; id < Members.COUNT; id++) {
      members.member(id).ask("watch");
    }
    if (!Boolean.parseBoolean(members.member(leader).ask("snapshot"))) {
      throw new IllegalStateException("the leader takes no snapshot");
    }
    for (int id = 0; id < Members.COUNT; id++) {
      while (members.member(id).position().snapshots() == before[id]) {
        Thread.sleep(LOOK_MS);
      }
    }
    double longest = 0;
    for (int id = 0; id < Members.COUNT; id++) {
      longest = Math.max(longest, Long.parseLong(members.member(id).ask("watched")) / 1e6);
    }
    return longest;
  }

  /** How many snapshots each member has taken. */
  private long[] taken() throws IOException {
    long[] taken = new long[Members.COUNT];
    for (int id = 0; id < Members.COUNT; id++) {
      taken[id] = members.member(id).position().snapshots();
    }
    return taken;
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
