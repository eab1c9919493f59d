package io.entroq.server.bench;

import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.Machine;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.load.ledger.Balance;
import io.entroq.tools.terminal.Quantity;
import java.util.Locale;

/** A run in words and tables, for people. */
public final class BenchText {
  private final StringBuilder text = new StringBuilder();

  private BenchText() {}

  /** What there is going to be, in a line. */
  public static String settings(LoadConfig config, TargetDescription place) {
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
            place(place));
  }

  private static String place(TargetDescription place) {
    if (place.server().isPresent()) {
      return "on the server at %s by %s"
          .formatted(place.server().get(), Quantity.of(place.connections(), "connection"));
    }
    return place
        .data()
        .map(
            path ->
                "level %s in %s (%s%s)"
                    .formatted(
                        place.level().orElseThrow().name().toLowerCase(Locale.ROOT),
                        path,
                        place.isTemporary() ? "removed afterwards, " : "",
                        place.fileSystem().orElse("")))
        .orElse("in memory");
  }

  /** The result as lines. */
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
          "%,14d cycles were due at the end and not begun; at most %,d were at a time"
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
          "%n%,14d inserted = %,d deleted + %,d remaining, backlog and warm-up included"
              .formatted(balance.inserted(), balance.deleted(), balance.remaining()));
      line("%,14d lost, %,d doubled".formatted(balance.lost(), balance.doubled()));
    } else {
      line(
          "%n%,14d inserted, %,d deleted, backlog and warm-up included; %,d of the rest looked at"
              .formatted(balance.inserted(), balance.deleted(), balance.remaining()));
      line("%,14d doubled so far".formatted(balance.doubled()));
    }
    if (balance.unknown() > 0) {
      line("%,14d unknown: nobody has inserted them".formatted(balance.unknown()));
    }
    if (balance.isComplete() && balance.remaining() != balance.remainingByStatistics()) {
      line(
          "%,14d remaining by the statistics of the queues, which a listing contradicts"
              .formatted(balance.remainingByStatistics()));
    }
  }

  private static String verdict(LoadResult result) {
    if (result.failure().isPresent()) {
      return "FAILED: " + result.failure().get();
    }
    if (result.balance().isWrong()) {
      return "WRONG: tasks are not accounted for, see above.";
    }
    if (!result.balance().isComplete()) {
      return "Interrupted before all was checked; nobody knows whether tasks were lost.";
    }
    return result.isInterrupted()
        ? "Interrupted; every task so far is accounted for, once."
        : "Right: every task is accounted for, once.";
  }

  private void line(String line) {
    text.append(line).append(System.lineSeparator());
  }
}
