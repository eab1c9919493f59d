package io.entroq.perf.claim;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares claims out of the only queue, with one task and with as many as there are queues beside
 * it, and out of one of very many queues with one task each: always the same one, and any of them.
 */
@Command(
    name = "queues",
    description = "With one queue and with very many of one task each.",
    mixinStandardHelpOptions = true)
final class QueueScale implements Callable<Integer> {
  private static final long SEED = 42;

  @Mixin private ScaleOptions options;

  @Option(names = "--queues", description = "How many queues (${DEFAULT-VALUE}).")
  private int queues = 1_000_000;

  @Override
  public Integer call() throws IOException {
    Report report =
        options.begin(
            new Report(ClaimScale.class).setting("compare", "queues").setting("queues", queues));
    try (ScratchDirectory scratch = options.scratch();
        EntroQ lone = options.open(scratch, "lone");
        EntroQ single = options.open(scratch, "single");
        EntroQ many = options.open(scratch, "many")) {
      ClaimComparison comparison =
          new ClaimComparison(
              List.of(
                  ofOneQueue("1 queue of 1 task", lone, 1),
                  ofOneQueue("1 queue of as many tasks", single, queues),
                  ofFixedQueue(many),
                  ofAnyQueue(many)),
              options.rounds());
      options.measure(comparison);
      comparison.tell(report);
    }
    report.end();
    return 0;
  }

  private ClaimSide ofOneQueue(String name, EntroQ queue, long tasks) {
    Report.note("inserting %,d tasks into one queue", tasks);
    new Backlog(queue, nameOf(0), options.valueBytes()).growTo(tasks);
    Claim claim = Claim.from(nameOf(0));
    return new ClaimSide(name, queue, () -> claim);
  }

  private ClaimSide ofFixedQueue(EntroQ queue) {
    Report.note("inserting %,d tasks into as many queues", queues);
    new Backlog(queue, QueueScale::nameOf, options.valueBytes()).growTo(queues);
    Claim claim = Claim.from(nameOf(0));
    return new ClaimSide("the same of many queues", queue, () -> claim);
  }

  private ClaimSide ofAnyQueue(EntroQ queue) {
    SplittableRandom random = new SplittableRandom(SEED);
    return new ClaimSide(
        "any of many queues", queue, () -> Claim.from(nameOf(random.nextInt(queues))));
  }

  private static String nameOf(long number) {
    return "queue-" + number;
  }
}
