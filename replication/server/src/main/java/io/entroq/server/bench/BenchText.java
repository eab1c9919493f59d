package io.entroq.server.bench;

import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.Machine;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.load.ledger.Balance;
import io.entroq.tools.terminal.Quantity;
import java.util.Locale;

/** A load run as readable text. */
public final class BenchText {
  private final StringBuilder text = new StringBuilder();

  private BenchText() {}

  /** The settings of the run, in one line. */
  public static String settings(LoadConfig config, TargetDescription target) {
    return "%s of %,d bytes, %s, %s, %s%s%s"
        .formatted(
            config.batch() == 1 ? "Single tasks" : "Batches of %,d tasks".formatted(config.batch()),
            config.valueBytes(),
            Quantity.of(config.callers(), "caller"),
            Quantity.of(config.queues(), "queue"),
            config.rate().isPresent()
                ? "%,.0f tasks/s, ".formatted(config.rate().getAsDouble())
                : "",
            config.backlog() > 0 ? "%,d pending, ".formatted(config.backlog()) : "",
            describe(target));
  }

  private static String describe(TargetDescription target) {
    if (target.server().isPresent()) {
      return "on the server at %s over %s"
          .formatted(target.server().get(), Quantity.of(target.connections(), "connection"));
    }
    return target
        .data()
        .map(
            path ->
                "level %s in %s (%s%s)"
                    .formatted(
                        target.level().orElseThrow().name().toLowerCase(Locale.ROOT),
                        path,
                        target.isTemporary() ? "removed afterwards, " : "",
                        target.fileSystem().orElse("")))
        .orElse("in memory");
  }

  public static String of(LoadResult result, Machine machine) {
    BenchText page = new BenchText();
    page.rates(result);
    page.latencies(result);
    page.balance(result.balance());
    page.line("%nOn %s".formatted(machine.line()));
    page.line(verdict(result));
    return page.text.toString();
  }

  private void rates(LoadResult result) {
    line(
        "%n%,14.0f cycles/s   (insert, claim, delete; %,d in %.1f s)"
            .formatted(
                result.cyclesPerSecond(),
                result.totals().measuredCycles(),
                result.measuredNs() / 1e9));
    if (result.config().batch() > 1) {
      line("%,14.0f tasks/s".formatted(result.tasksPerSecond()));
    }
    if (result.config().rate().isPresent()) {
      line(
          "%,14d cycles were overdue at the end; at most %,d at any time"
              .formatted(result.overdue(), result.overdueMost()));
    }
  }

  private void latencies(LoadResult result) {
    line(
        "%n%14s %12s %12s %12s %12s %12s"
            .formatted("microseconds", "p50", "p90", "p99", "p99.9", "max"));
    for (Operation operation : Operation.values()) {
      Percentiles micros = result.latencies().get(operation);
      if (operation != Operation.LATE || result.config().rate().isPresent()) {
        line(
            "%14s %,12.1f %,12.1f %,12.1f %,12.1f %,12.1f"
                .formatted(
                    operation.name().toLowerCase(Locale.ROOT),
                    micros.p50(),
                    micros.p90(),
                    micros.p99(),
                    micros.p999(),
                    micros.max()));
      }
    }
  }

  private void balance(Balance balance) {
    if (balance.isComplete()) {
      line(
          "%n%,14d inserted = %,d deleted + %,d remaining, including backlog and warm-up"
              .formatted(balance.inserted(), balance.deleted(), balance.remaining()));
      line("%,14d lost, %,d duplicated".formatted(balance.lost(), balance.doubled()));
    } else {
      line(
          "%n%,14d inserted, %,d deleted, including backlog and warm-up; %,d of the rest checked"
              .formatted(balance.inserted(), balance.deleted(), balance.remaining()));
      line("%,14d duplicated so far".formatted(balance.doubled()));
    }
    if (balance.unknown() > 0) {
      line("%,14d unknown: not inserted by this run".formatted(balance.unknown()));
    }
    if (balance.isComplete() && balance.remaining() != balance.remainingByStatistics()) {
      line(
          "%,14d remaining according to the queue statistics, which the listing contradicts"
              .formatted(balance.remainingByStatistics()));
    }
  }

  private static String verdict(LoadResult result) {
    if (result.failure().isPresent()) {
      return "FAILED: " + result.failure().get();
    }
    if (result.balance().isWrong()) {
      return "WRONG: not every task is accounted for exactly once; see above.";
    }
    if (!result.balance().isComplete()) {
      return "Interrupted before every task was checked; tasks may have been lost.";
    }
    return result.isInterrupted()
        ? "Interrupted; every task so far is accounted for exactly once."
        : "Right: every task is accounted for exactly once.";
  }

  private void line(String line) {
    text.append(line).append(System.lineSeparator());
  }
}
