package io.entroq.simulator.cli;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.fault.FaultChoice;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.world.Failure;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import io.entroq.tools.terminal.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The result of a run as text for people. */
final class SimText {
  private static final int FRAMES_MAX = 12;

  private final StringBuilder text = new StringBuilder();

  private SimText() {}

  /** The world to be run, on one line. */
  static String settings(WorldConfig config) {
    return "Seed %d: %s".formatted(config.seed(), world(config));
  }

  private static String world(WorldConfig config) {
    return "%s, %s, %s a second, %s, faults: %s"
        .formatted(
            hours(config.hours()),
            Quantity.of(config.clients(), "client"),
            Quantity.of(config.requestsPerSecond(), "request"),
            config.members() > 1
                ? Quantity.of(config.members(), "member")
                : "durability " + config.durability().name().toLowerCase(Locale.ROOT),
            FaultChoice.print(config.faults()));
  }

  /** The progress of a world, on one line. */
  static String progress(SimulationReport soFar, long elapsedNs) {
    return "%s of %s, %,.0f times real time, %,d commits, %,d faults"
        .formatted(
            "%,.2f".formatted(soFar.hours()),
            hours(soFar.config().hours()),
            SimResult.speed(soFar, elapsedNs),
            soFar.commits(),
            sum(soFar.faults()));
  }

  /** The progress of the search for a smaller world, on one line. */
  static String shrinking(int worlds, WorldConfig smallest) {
    return "violated; %s tried, the smallest so far: %s, %s, %s"
        .formatted(
            Quantity.of(worlds, "smaller world"),
            Quantity.of(smallest.clients(), "client"),
            hours(smallest.hours()),
            Quantity.of(smallest.faults().size(), "kind") + " of fault");
  }

  /** The result of the requested world, as lines. */
  static String of(SimResult result) {
    SimText page = new SimText();
    SimulationReport report = result.report();
    page.line("");
    page.line(
        "%s in %,.1f s, %,.0f times real time"
            .formatted(hours(report.hours()), result.elapsedNs() / 1e9, result.speed()));
    page.line(
        "%,d requests, %,d commits, %,d steps"
            .formatted(report.requests(), report.commits(), report.steps()));
    page.faults(report.faults());
    page.line("");
    report
        .failure()
        .ifPresentOrElse(
            failure -> page.violation(report, failure), () -> page.line(verdict(result)));
    page.line("The trace is %s.".formatted(report.traceHash()));
    return page.text.toString();
  }

  /** The smallest world found, as lines. */
  static String smallest(SimResult result) {
    SimText page = new SimText();
    SimulationReport smallest = result.simplest();
    page.line("");
    if (smallest.config().equals(result.report().config())) {
      page.line("Found no smaller world with the same violation.");
    } else {
      page.line("The smallest world found with the same violation:");
      page.line("  " + world(smallest.config()));
      page.details(smallest, smallest.failure().orElseThrow());
    }
    return page.text.toString();
  }

  private static String verdict(SimResult result) {
    return result.isInterrupted()
        ? "Interrupted; no invariant has been violated so far."
        : "Right: no invariant was violated.";
  }

  private void faults(Map<FaultKind, Long> faults) {
    line("");
    for (FaultKind kind : FaultKind.values()) {
      Long count = faults.get(kind);
      if (count != null) {
        line("%,14d %s".formatted(count, kind.label()));
      }
    }
    line("%,14d faults of %s".formatted(sum(faults), Quantity.of(faults.size(), "kind")));
  }

  private void violation(SimulationReport report, Failure failure) {
    line("WRONG: %s was violated%s".formatted(failure.invariant(), statement(failure)));
    details(report, failure);
    if (!(failure.cause() instanceof Violation)) {
      trace(failure.cause());
    }
  }

  private void details(SimulationReport report, Failure failure) {
    line("  %s: %s".formatted(failure.subject(), failure.detail()));
    line(
        "  seed %d, step %,d, virtual time %s"
            .formatted(report.config().seed(), failure.step(), time(failure.virtualNs())));
    if (!failure.lastCommands().isEmpty()) {
      line("  last commands that touched it:");
      failure.lastCommands().forEach(command -> line("    " + command));
    }
    line("  replay: " + ReplayCommand.command(report.config()));
  }

  private void trace(Throwable cause) {
    line("  thrown: " + cause);
    Arrays.stream(cause.getStackTrace())
        .limit(FRAMES_MAX)
        .forEach(frame -> line("    at " + frame));
  }

  /** The invariant's statement after a colon; empty for a failure that has no invariant. */
  private static String statement(Failure failure) {
    return invariant(failure).map(one -> ": " + one.statement()).orElse("");
  }

  private static Optional<Invariant> invariant(Failure failure) {
    return Arrays.stream(Invariant.values())
        .filter(one -> one.label().equals(failure.invariant()))
        .findFirst();
  }

  private static long sum(Map<FaultKind, Long> faults) {
    return faults.values().stream().mapToLong(Long::longValue).sum();
  }

  /** As 12:34:56.789012345, hours first. */
  private static String time(long ns) {
    long seconds = ns / 1_000_000_000;
    return "%d:%02d:%02d.%09d"
        .formatted(seconds / 3_600, seconds / 60 % 60, seconds % 60, ns % 1_000_000_000);
  }

  /** To two decimal places, or two significant digits below 0.1. */
  private static String hours(double hours) {
    if (hours == Math.rint(hours)) {
      return Quantity.of((long) hours, "hour");
    }
    return hours < 0.1
        ? BigDecimal.valueOf(hours).round(new MathContext(2)).toPlainString() + " hours"
        : "%,.2f hours".formatted(hours);
  }

  private void line(String line) {
    text.append(line).append(System.lineSeparator());
  }
}
