package io.entroq.perf.claim;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import java.util.List;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares claims from the only queue, which has one task or many, with claims from one of many
 * queues with a task each: always the same queue, or any of them.
 */
@Command(name = "queues", description = "Compares one queue with many queues of one task each.")
final class QueueScale extends ScaleCommand {
  private static final long SEED = 42;

  @Option(names = "--queues", description = "Number of queues (${DEFAULT-VALUE}).")
  private int queues = 1_000_000;

  @Override
  protected void measure(Report report) {
    ScratchDirectory directory = scratch();
    try (directory;
        EntroQ lone = openEngine("lone");
        EntroQ single = openEngine("single");
        EntroQ many = openEngine("many")) {
      compare(
          List.of(
              ofOneQueue("1 queue of 1 task", lone, 1),
              ofOneQueue("1 queue of as many tasks", single, queues),
              ofFixedQueue(many),
              ofAnyQueue(many)),
          report);
    }
  }

  private ClaimSide ofOneQueue(String name, EntroQ queue, long tasks) {
    Report.note("inserting %,d tasks into one queue", tasks);
    new Backlog(queue, nameOf(0), valueBytes()).growTo(tasks);
    Claim claim = Claim.from(nameOf(0));
    return new ClaimSide(name, queue, () -> claim);
  }

  private ClaimSide ofFixedQueue(EntroQ queue) {
    Report.note("inserting %,d tasks into as many queues", queues);
    new Backlog(queue, QueueScale::nameOf, valueBytes()).growTo(queues);
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
