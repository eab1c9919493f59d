package io.entroq.perf.engine;

import io.entroq.api.Durability;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Measures how long claims take of a queue with many tasks, alone and while another thread lists
 * the queue over and over, slice by slice in one run. Prints each round, and last the ratios.
 *
 * <p>Arguments: tasks (10,000,000), rounds (10), seconds per slice (5), level (none, os, disk;
 * none), cycles per second (0: as many as go).
 */
public final class ListingImpact {
  private static final String QUEUE = "inbox";
  private static final int VALUE_BYTES = 32;
  private static final int WARM_UP_ROUNDS = 2;
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final ClaimCycle cycle;
  private final EndlessListing listing;
  private final long sliceNs;
  private final Histogram allAlone = new Histogram(NANOS_MAX, 3);
  private final Histogram allBeside = new Histogram(NANOS_MAX, 3);

  private ListingImpact(ClaimCycle cycle, EndlessListing listing, int seconds) {
    this.cycle = cycle;
    this.listing = listing;
    this.sliceNs = TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Runs the measurement; a log goes to a directory that is removed afterwards. */
  public static void main(String[] args) throws IOException {
    int tasks = argument(args, 0, 10_000_000);
    int rounds = argument(args, 1, 10);
    int seconds = argument(args, 2, 5);
    Durability level =
        Durability.valueOf(args.length > 3 ? args[3].toUpperCase(Locale.ROOT) : "NONE");
    Path directory = Files.createTempDirectory("entroq-listing");
    EmbeddedConfig.Builder config =
        level == Durability.NONE
            ? EmbeddedConfig.inMemory()
            : EmbeddedConfig.in(directory).durability(level);
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config.build())) {
      ClaimCycle cycle = new ClaimCycle(queue, QUEUE, VALUE_BYTES, argument(args, 4, 0));
      cycle.fill(tasks);
      System.out.printf(Locale.ROOT, "%,d tasks, level %s%n", tasks, level);
      EndlessListing listing = new EndlessListing(queue, TaskQuery.in(QUEUE));
      listing.start();
      new ListingImpact(cycle, listing, seconds).measure(rounds);
      listing.end();
    } finally {
      delete(directory);
    }
  }

  private static int argument(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private void measure(int rounds) {
    double[] ratios = new double[rounds];
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      Histogram alone = slice();
      long before = listing.tasks();
      listing.resume();
      Histogram beside = slice();
      listing.pause();
      if (round >= 0) {
        allAlone.add(alone);
        allBeside.add(beside);
        ratios[round] = ratio(alone, beside, 99);
        print("round " + round + ", alone", alone);
        print("round " + round + ", listing", beside);
        System.out.printf(
            Locale.ROOT,
            "  p99 ratio %.2f, %,.0f tasks listed/s%n",
            ratios[round],
            (listing.tasks() - before) * 1e9 / sliceNs);
      }
    }
    print("all, alone", allAlone);
    print("all, listing", allBeside);
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "ratio of p50 %.2f, p99 %.2f, p99.9 %.2f; of the rounds' p99: median %.2f, most %.2f;"
            + " %d whole listings%n",
        ratio(allAlone, allBeside, 50),
        ratio(allAlone, allBeside, 99),
        ratio(allAlone, allBeside, 99.9),
        ratios[rounds / 2],
        ratios[rounds - 1],
        listing.listings());
  }

  private Histogram slice() {
    Histogram claims = new Histogram(NANOS_MAX, 3);
    cycle.run(sliceNs, claims);
    return claims;
  }

  private static double ratio(Histogram alone, Histogram beside, double percentile) {
    return (double) beside.getValueAtPercentile(percentile)
        / alone.getValueAtPercentile(percentile);
  }

  private static void print(String what, Histogram claims) {
    System.out.printf(
        Locale.ROOT,
        "%-20s %,10d claims; us: p50 %,8.1f  p99 %,8.1f  p99.9 %,8.1f  most %,10.1f%n",
        what,
        claims.getTotalCount(),
        claims.getValueAtPercentile(50) / 1e3,
        claims.getValueAtPercentile(99) / 1e3,
        claims.getValueAtPercentile(99.9) / 1e3,
        claims.getMaxValue() / 1e3);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
