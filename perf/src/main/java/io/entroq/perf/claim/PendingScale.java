package io.entroq.perf.claim;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares claims from a queue with few tasks and from one with many. */
@Command(name = "pending", description = "Compares a queue of few tasks with one of many.")
final class PendingScale extends ScaleCommand {
  private static final String INBOX = "inbox";

  @Option(names = "--few", description = "Tasks in the first queue (${DEFAULT-VALUE}).")
  private long few = 1_000;

  @Option(names = "--many", description = "Tasks in the second queue (${DEFAULT-VALUE}).")
  private long many = 10_000_000;

  @Override
  protected void measure(Report report) {
    ScratchDirectory directory = scratch();
    try (directory;
        EntroQ small = openEngine("few");
        EntroQ large = openEngine("many")) {
      compare(List.of(side(small, few), side(large, many)), report);
    }
  }

  private ClaimSide side(EntroQ queue, long tasks) {
    Report.note("inserting %,d tasks", tasks);
    new Backlog(queue, INBOX, valueBytes()).growTo(tasks);
    Claim claim = Claim.from(INBOX);
    return new ClaimSide(String.format(Locale.ROOT, "%,d pending", tasks), queue, () -> claim);
  }
}
