package io.entroq.system.scenario;

import io.entroq.system.member.NetworkNamespaces;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Faults of all kinds at random, one or two at a time, with a pause between. Prints how it gets on
 * each half minute. One thread runs it.
 */
final class MixedFaults implements AutoCloseable {
  private static final long REPORT_MS = 30_000;

  /** All, unless some are selected. */
  private static final List<FaultKind> KINDS =
      Stream.of(FaultKind.values())
          .filter(kind -> kind.toString().matches(System.getProperty("mixed.kinds", ".*")))
          .toList();

  private final Trial trial;
  private final NetworkNamespaces network;
  private final SmallDisks disks;
  private final Duration length;
  private final FaultStats stats = new FaultStats();
  private final long startNs = System.nanoTime();
  private final Thread reporter = new Thread(this::report, "reporter");
  private volatile String now = "nothing yet";
  private volatile int rounds;
  private volatile long elections;
  private volatile Duration longest = Duration.ZERO;

  MixedFaults(Trial trial, NetworkNamespaces network, SmallDisks disks, Duration length) {
    this.trial = trial;
    this.network = network;
    this.disks = disks;
    this.length = length;
    reporter.setDaemon(true);
    reporter.start();
  }

  private void report() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(REPORT_MS);
        System.out.println(text());
      }
    } catch (InterruptedException e) {
      // It is over.
    }
  }

  private String text() {
    return "%,d of %,d s: round %d, %s; %,d operations, %d elections, commits stood still for %d ms at most"
        .formatted(
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs),
            length.toSeconds(),
            rounds,
            now,
            trial.answers(),
            elections,
            longest.toMillis());
  }

  /** Injects faults until the time is over, or a violation is found. Returns a summary. */
  String run() throws Exception {
    long firstTerm = trial.context().cluster().term();
    long endNs = startNs + length.toNanos();
    // All of them at least once, then at random.
    for (FaultKind kind : KINDS) {
      inject(EnumSet.of(kind), endNs, firstTerm);
    }
    while (System.nanoTime() - endNs < 0 && !trial.hasViolations()) {
      inject(EnumSet.of(any(), any()), endNs, firstTerm);
    }
    now = "the end";
    return text() + "\n" + stats.text();
  }

  private FaultKind any() {
    return KINDS.get(trial.context().random().nextInt(KINDS.size()));
  }

  private void inject(Set<FaultKind> kinds, long endNs, long firstTerm) throws Exception {
    if (System.nanoTime() - endNs > 0 || trial.hasViolations()) {
      return;
    }
    rounds++;
    now = kinds.toString();
    long beginNs = System.nanoTime();
    trial.inject(
        context -> {
          FaultRound round = new FaultRound(context, network, disks);
          round.begin(kinds);
          round.end();
          elections = context.cluster().term() - firstTerm;
        });
    long nowNs = System.nanoTime();
    Duration still = FaultStats.still(trial.since(beginNs), beginNs, nowNs);
    longest = longest.compareTo(still) < 0 ? still : longest;
    stats.add(kinds, still);
    trial
        .context()
        .note(
            "round %d %s took %d ms; commits stood still for %d ms"
                .formatted(
                    rounds,
                    kinds,
                    TimeUnit.NANOSECONDS.toMillis(nowNs - beginNs),
                    still.toMillis()));
  }

  @Override
  public void close() {
    reporter.interrupt();
  }
}
