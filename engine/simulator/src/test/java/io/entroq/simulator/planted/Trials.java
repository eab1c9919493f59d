package io.entroq.simulator.planted;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Hunts one bug several times, two trials at a time. A trial runs one world after the other, each
 * of a seed of its own, until one of them goes wrong or the time of all trials is over.
 */
final class Trials {
  private static final int LANES = 2;
  private static final long SEEDS_OF_TRIAL = 1_000;
  private static final String HOURS_OF_WORLD = "1";

  private final int count;
  private final long limitNs;

  /**
   * @param count how many trials
   * @param limitSeconds by the wall clock, for all of them together
   */
  Trials(int count, int limitSeconds) {
    this.count = count;
    this.limitNs = TimeUnit.SECONDS.toNanos(limitSeconds);
  }

  /** How a trial has ended: with a sighting or without. */
  private record Trial(Optional<Sighting> sighting, double hours, double seconds) {}

  /**
   * Runs them.
   *
   * @throws IllegalStateException if a world does not end
   */
  Hunted hunt(PlantingLoader loader) {
    long startNs = System.nanoTime();
    ExecutorService lanes = Executors.newFixedThreadPool(LANES, Trials::daemon);
    try {
      List<Future<Trial>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long firstSeed = 1 + i * SEEDS_OF_TRIAL;
        running.add(lanes.submit(() -> run(loader, firstSeed, startNs)));
      }
      List<Trial> trials = new ArrayList<>();
      for (Future<Trial> each : running) {
        trials.add(await(each));
      }
      return hunted(trials);
    } finally {
      lanes.shutdownNow();
    }
  }

  private Trial run(PlantingLoader loader, long firstSeed, long startNs) {
    Function<Map<String, String>, Map<String, String>> run = Planting.run(loader, WorldRun.class);
    double hours = 0;
    long seed = firstSeed;
    while (System.nanoTime() - startNs < limitNs) {
      Map<String, String> outcome =
          run.apply(Map.of("seed", Long.toString(seed++), "hours", HOURS_OF_WORLD));
      hours += Double.parseDouble(outcome.get("hours"));
      String invariant = outcome.get("invariant");
      if (invariant != null) {
        Sighting sighting = new Sighting(invariant, hours);
        return new Trial(Optional.of(sighting), hours, (System.nanoTime() - startNs) / 1e9);
      }
    }
    return new Trial(Optional.empty(), hours, Double.POSITIVE_INFINITY);
  }

  private Trial await(Future<Trial> trial) {
    try {
      // The last worlds begin in time, and take a while.
      return trial.get(2 * limitNs, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("a world does not end", e);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Hunted hunted(List<Trial> trials) {
    return new Hunted(
        trials.stream().flatMap(trial -> trial.sighting.stream()).toList(),
        trials.size(),
        trials.stream().mapToDouble(Trial::hours).sum(),
        trials.stream().mapToDouble(Trial::seconds).min().orElseThrow());
  }

  private static Thread daemon(Runnable lane) {
    Thread thread = new Thread(lane, "trial");
    thread.setDaemon(true);
    return thread;
  }
}
