package io.entroq.perf.replicated;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** With many tasks pending: how long a snapshot delays commands, and how fast a member restarts. */
final class Million {
  private static final int VALUE_BYTES = 30;
  private static final long POLL_MS = 5;

  /** The pause between snapshots, in which mirrors copy the last one. */
  private static final long PAUSE_MS = 5_000;

  /** Snapshots until the code that writes them is compiled. */
  private static final int WARM_UPS = 3;

  private final Members members;

  Million(Members members) {
    this.members = members;
  }

  void measure(int tasks, int times, Report report) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    members.member(members.leader()).ask("fill %d %d".formatted(tasks, VALUE_BYTES));
    Report.note("inserted %,d tasks in %.1f s", tasks, (System.nanoTime() - startNs) / 1e9);
    for (int i = 0; i < WARM_UPS; i++) {
      Report.note("warm-up: longest command %.0f ms", snapshot());
    }
    List<Double> pauses = new ArrayList<>();
    List<Double> restarts = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      pauses.add(snapshot());
      Report.note("longest command %.0f ms", pauses.get(i));
    }
    for (int i = 0; i < times; i++) {
      restarts.add(restart());
      Report.note("restarted in %.0f ms", restarts.get(i));
    }
    Spread pause = Spread.of(pauses, ms -> ms);
    Spread restart = Spread.of(restarts, ms -> ms);
    new Table("ms, with %,d tasks pending".formatted(tasks), "least", "median", "greatest")
        .row("longest command while a snapshot is taken", pause)
        .row("kill -9 of a follower, from its restart to a command through it", restart)
        .print();
    report
        .figure("longest command while a snapshot is taken, ms", pause.toMap())
        .figure("kill -9 of a follower, to a command through it, ms", restart.toMap());
    report.figure("tasks pending", Map.of("tasks", tasks, "valueBytes", VALUE_BYTES));
  }

  /** The longest command of all members, in milliseconds. */
  private double snapshot() throws IOException, InterruptedException {
    Thread.sleep(PAUSE_MS);
    int leader = members.leader();
    long[] before = taken();
    for (int id = 0; id < Members.COUNT; id++) {
      members.member(id).ask("watch");
    }
    if (!Boolean.parseBoolean(members.member(leader).ask("snapshot"))) {
      throw new IllegalStateException("the leader refuses to take a snapshot");
    }
    for (int id = 0; id < Members.COUNT; id++) {
      while (members.member(id).position().snapshots() == before[id]) {
        Thread.sleep(POLL_MS);
      }
    }
    double longest = 0;
    for (int id = 0; id < Members.COUNT; id++) {
      longest = Math.max(longest, Long.parseLong(members.member(id).ask("watched")) / 1e6);
    }
    return longest;
  }

  /** The snapshots that each member has taken. */
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
}
