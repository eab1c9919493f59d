package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.run.Result.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Measures peers in turns, one durability class after the other. In each round every peer has a
 * turn, in alternating order, and only that peer runs. A failure is recorded and the others
 * continue. For one thread, except {@link #end}.
 */
public final class Runner implements AutoCloseable {
  /** Of a warm-up. */
  private static final Duration SLICE = Duration.ofSeconds(4);

  /** The shortest duration of a load. */
  private static final Duration SLICE_MIN = Duration.ofMillis(10);

  /** A warm-up ends after so many slices in a row that were no faster than the best one before. */
  private static final int NO_FASTER_MAX = 3;

  private static final double FASTER = 1.05;

  private final Plan plan;
  private final Progress progress;
  private final List<Result> results = new ArrayList<>();
  private final Map<String, String> versions = new HashMap<>();
  private final List<Deployment> deployments = new CopyOnWriteArrayList<>();
  private volatile boolean isEnded;

  public Runner(Plan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures everything that is planned, and ends everything that it started.
   *
   * @return the results in the order of the measurements
   */
  public List<Result> run() throws InterruptedException {
    for (DurabilityClass durability : plan.durabilities()) {
      plan.peersOf(durability).forEach(peer -> deploy(peer, durability));
      for (int round = 1; round <= plan.rounds(); round++) {
        round(round);
      }
      endAll();
    }
    return results;
  }

  /** Versions by names of peers. */
  public Map<String, String> versions() {
    return versions;
  }

  /** Ends the run, from any thread. Further measurements fail at once. */
  public void end() {
    isEnded = true;
    endAll();
  }

  @Override
  public void close() {
    end();
  }

  private void deploy(Peer peer, DurabilityClass durability) {
    deployments.add(new Deployment(peer, durability, plan.directory()));
  }

  private void round(int round) throws InterruptedException {
    List<Deployment> turns = new ArrayList<>(deployments);
    if (round % 2 == 0) {
      Collections.reverse(turns);
    }
    for (Deployment deployment : turns) {
      turn(deployment, round);
    }
  }

  private void turn(Deployment deployment, int round) throws InterruptedException {
    progress.turn(deployment.peer().name(), deployment.durability(), round);
    if (round == 1) {
      warmUp(deployment);
    }
    for (Shape shape : plan.shapes()) {
      Result result =
          new Result(
              deployment.peer().name(),
              deployment.durability(),
              shape,
              round,
              attempt(deployment, shape, plan.timing()));
      results.add(result);
      progress.result(result);
    }
    versions.put(deployment.peer().name(), deployment.version());
    endTurn(deployment);
  }

  private void warmUp(Deployment deployment) throws InterruptedException {
    for (Shape shape : plan.shapes()) {
      warmUp(deployment, shape);
    }
  }

  /** Ends early when the peer gets no faster. JVMs do for minutes, other programs hardly. */
  private void warmUp(Deployment deployment, Shape shape) throws InterruptedException {
    Duration left = plan.firstWarmUp();
    double best = 0;
    int noFaster = 0;
    while (left.compareTo(SLICE_MIN) >= 0 && noFaster < NO_FASTER_MAX) {
      Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
      Timing timing = new Timing(Duration.ZERO, slice, plan.timing().drain());
      double rate =
          attempt(deployment, shape, timing).measured().map(Measured::tasksPerSecond).orElse(0.0);
      noFaster = rate > FASTER * best ? 0 : noFaster + 1;
      best = Math.max(best, rate);
      left = left.minus(slice);
    }
  }

  private Outcome attempt(Deployment deployment, Shape shape, Timing timing)
      throws InterruptedException {
    if (isEnded) {
      return Outcome.failed("ended by request");
    }
    if (deployment.dropped().isPresent()) {
      return Outcome.failed(deployment.dropped().get());
    }
    try {
      deployment.beginTurn();
      return Outcome.of(deployment.measure(shape, timing));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      // Every exception of a peer is its failure.
      return Outcome.failed(deployment.failed(e));
    }
  }

  private static void endTurn(Deployment deployment) throws InterruptedException {
    try {
      deployment.endTurn();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      deployment.failed(e);
    }
  }

  private void endAll() {
    for (Deployment deployment : deployments) {
      try {
        deployment.close();
      } catch (Exception e) {
        System.err.println(deployment.peer().name() + " did not end cleanly: " + e.getMessage());
      }
    }
    deployments.clear();
  }
}
