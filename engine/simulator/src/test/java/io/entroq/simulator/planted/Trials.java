package io.entroq.simulator.planted;

import io.entroq.simulator.world.QuietEngines;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Hunts one bug in several trials at once, on two threads. A trial runs one world after another,
 * each with its own seed, until one fails; the trials take turns. The hunt ends when more than half
 * of them have caught the bug, which gives the median, or when each thread has used up its
 * processor time, so the load of the machine does not matter.
 */
final class Trials {
  private static final int LANES = 2;
  private static final long SEEDS_OF_TRIAL = 1_000;

  /** Short worlds, because each has a different mixture of faults. */
  private static final String HOURS_OF_WORLD = "0.25";

  /** A thread gets at least one part in so many of a processor. */
  private static final int SHARE_LEAST = 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int count;
  private final long limitNs;

  /**
   * @param count the number of trials
   * @param limitSeconds processor time per thread
   */
  Trials(int count, int limitSeconds) {
    this.count = count;
    this.limitNs = TimeUnit.SECONDS.toNanos(limitSeconds);
  }

  /**
   * Runs them.
   *
   * @param members the number of members in each world
   * @throws IllegalStateException if a world does not end
   */
  Hunted hunt(PlantingLoader loader, int members) {
    return QuietEngines.during(() -> huntLoudly(loader, members));
  }

  private Hunted huntLoudly(PlantingLoader loader, int members) {
    ExecutorService lanes = Executors.newFixedThreadPool(LANES, Trials::daemon);
    try {
      Hunt hunt = new Hunt(loader, members);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < LANES; i++) {
        running.add(lanes.submit(hunt));
      }
      for (Future<?> each : running) {
        await(each);
      }
      return hunt.result();
    } finally {
      lanes.shutdownNow();
    }
  }

  private void await(Future<?> lane) {
    try {
      lane.get(SHARE_LEAST * limitNs, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("a world does not end", e);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Thread daemon(Runnable lane) {
    Thread thread = new Thread(lane, "trial");
    thread.setDaemon(true);
    return thread;
  }

  /** One trial, on whichever thread has it. */
  private static final class Trial {
    private long seed;
    private double hours;

    Trial(long seed) {
      this.seed = seed;
    }
  }

  private final class Hunt implements Runnable {
    private final PlantingLoader loader;
    private final int members;
    private final Deque<Trial> waiting = new ArrayDeque<>();
    private final List<Sighting> sightings = new ArrayList<>();
    private double hours;
    private double firstSeconds = Double.POSITIVE_INFINITY;

    Hunt(PlantingLoader loader, int members) {
      this.loader = loader;
      this.members = members;
      for (int i = 0; i < count; i++) {
        waiting.add(new Trial(1 + i * SEEDS_OF_TRIAL));
      }
    }

    @Override
    public void run() {
      Function<Map<String, String>, Map<String, String>> run = Planting.run(loader, WorldRun.class);
      for (Trial trial = take(); trial != null; trial = take()) {
        put(trial, run.apply(nextOf(trial)));
      }
    }

    private synchronized Trial take() {
      boolean isKnown = sightings.size() > count / 2;
      return isKnown || leftNs() <= 0 ? null : waiting.poll();
    }

    private Map<String, String> nextOf(Trial trial) {
      Map<String, String> terms = new HashMap<>();
      terms.put("seed", Long.toString(trial.seed++));
      terms.put("hours", HOURS_OF_WORLD);
      terms.put("members", Integer.toString(members));
      terms.put("leftNs", Long.toString(leftNs()));
      return terms;
    }

    private long leftNs() {
      return limitNs - THREADS.getCurrentThreadCpuTime();
    }

    private synchronized void put(Trial trial, Map<String, String> outcome) {
      double passed = Double.parseDouble(outcome.get("hours"));
      trial.hours += passed;
      hours += passed;
      String invariant = outcome.get("invariant");
      if (invariant == null) {
        waiting.add(trial);
      } else {
        sightings.add(new Sighting(invariant, trial.hours));
        firstSeconds = Math.min(firstSeconds, THREADS.getCurrentThreadCpuTime() / 1e9);
      }
    }

    synchronized Hunted result() {
      return new Hunted(sightings, count, hours, firstSeconds);
    }
  }
}
