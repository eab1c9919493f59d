package io.entroq.perf.claim;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares claims out of a queue with few tasks and out of one with very many. */
@Command(
    name = "pending",
    description = "With few tasks in the queue and with very many.",
    mixinStandardHelpOptions = true)
final class PendingScale implements Callable<Integer> {
  private static final String INBOX = "inbox";

  @Mixin private ScaleOptions options;

  @Option(names = "--few", description = "Tasks of the first (${DEFAULT-VALUE}).")
  private long few = 1_000;

  @Option(names = "--many", description = "Tasks of the second (${DEFAULT-VALUE}).")
  private long many = 10_000_000;

  @Override
  public Integer call() throws IOException {
    Report report =
        options.begin(
            new Report(ClaimScale.class)
                .setting("compare", "pending")
                .setting("few", few)
                .setting("many", many));
    try (ScratchDirectory scratch = options.scratch();
        EntroQ small = options.open(scratch, "few");
        EntroQ large = options.open(scratch, "many")) {
      ClaimComparison comparison =
          new ClaimComparison(List.of(side(small, few), side(large, many)), options.rounds());
      options.measure(comparison);
      comparison.tell(report);
    }
    report.end();
    return 0;
  }

  private ClaimSide side(EntroQ queue, long tasks) {
    Report.note("inserting %,d tasks", tasks);
    new Backlog(queue, INBOX, options.valueBytes()).growTo(tasks);
    Claim claim = Claim.from(INBOX);
    return new ClaimSide(String.format(Locale.ROOT, "%,d pending", tasks), queue, () -> claim);
  }
}
