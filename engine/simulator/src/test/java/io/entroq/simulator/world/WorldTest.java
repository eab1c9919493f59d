package io.entroq.simulator.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.entroq.simulator.fault.FaultKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class WorldTest {
  /** Half of them for each thread. */
  private static final int WORLDS = 2;

  private static final int LONG_WORLDS = 12;

  private static final double HOURS_EACH = 0.05;
  private static final double LONG_HOURS_EACH = 0.25;

  /** The least simulated time in ten minutes on two cores. */
  private static final double HOURS_FLOOR = 100;

  private static SimulationReport run(long seed) {
    return Simulation.run(WorldConfig.of(seed).withHours(0.02), ProgressListener.NONE);
  }

  @Test
  void shouldGoTheSameWayFromTheSameSeed() {
    SimulationReport alone = run(11);
    // Earlier worlds and parallel ones do not affect it.
    CompletableFuture<SimulationReport> beside = CompletableFuture.supplyAsync(() -> run(12));
    run(13);
    SimulationReport again = run(11);

    assertEquals(alone.traceHash(), again.traceHash());
    assertEquals(alone.steps(), again.steps());
    assertNotEquals(alone.traceHash(), beside.join().traceHash());
  }

  @Test
  void shouldFindNothingWrongInAFewMinutesOnTwoThreads() {
    findNothingWrong(WORLDS, HOURS_EACH);
  }

  @Test
  @Tag("long")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldFindNothingWrongInAFewHoursOnTwoThreads() {
    findNothingWrong(LONG_WORLDS, LONG_HOURS_EACH);
  }

  private static void findNothingWrong(int worlds, double hoursEach) {
    // The same seeds in each build; new ones only in the long run.
    List<Worlds> both =
        runOnTwoThreads(
            300, hoursEach, index -> LongStream.iterate(1 + index, s -> s + 2).limit(worlds / 2));

    assertEquals(worlds * hoursEach, hours(both), 0.001);
  }

  /** Every kind of fault occurs many times. */
  @Test
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void shouldFindNothingWrongInTenMinutesOnTwoThreads() {
    // The later kinds occur only in clusters.
    Set<FaultKind> missing = EnumSet.range(FaultKind.REQUEST_LOST, FaultKind.CLAIM_CANCELLED);
    List<Worlds> both = runOnTwoThreads(600, 2, index -> anySeeds());
    both.forEach(each -> missing.removeAll(each.faults().keySet()));

    assertTrue(missing.isEmpty(), () -> "never happened: " + missing);
    assertTrue(hours(both) >= HOURS_FLOOR, "slower than promised");
  }

  private static LongStream anySeeds() {
    return ThreadLocalRandom.current().longs(0, 1L << 32);
  }

  private static List<Worlds> runOnTwoThreads(
      long seconds, double hoursEach, IntFunction<LongStream> seeds) {
    List<Worlds> both =
        List.of(
            new Worlds(seconds, hoursEach, seeds.apply(0).iterator()),
            new Worlds(seconds, hoursEach, seeds.apply(1).iterator()));
    Stream<CompletableFuture<Void>> running = both.stream().map(CompletableFuture::runAsync);
    running.toList().forEach(CompletableFuture::join);
    both.forEach(System.out::println);
    System.out.printf("%.1f simulated hours, in %d seconds at most%n", hours(both), seconds);
    return both;
  }

  private static double hours(List<Worlds> all) {
    return all.stream().mapToDouble(Worlds::hours).sum();
  }
}
