package io.entroq.perf.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks come, are replaced, go, stay away and come back, and what is on the disk stays below four
 * times what is live and a gibibyte.
 *
 * <p>{@code -Dtest.churn.minutes} says how long the long one takes, {@code -Dtest.seed} repeats the
 * values.
 */
class DiskBoundTest {
  private static final Duration LONG = Duration.ofMinutes(Long.getLong("test.churn.minutes", 60));

  /** As much as a segment of the log may take. */
  private static final long IDLE_GROWTH_BYTES_MAX = 64 << 20;

  @TempDir Path directory;

  @Test
  void shouldDrawWhatWasSeenWhenTasksComeAndGoForAShortWhile() throws Exception {
    List<DiskSample> samples =
        churn(
            EmbeddedConfig.in(data()).snapshotLogBytes(1 << 20), 2_000, Duration.ofSeconds(2), 50);
    Path bytes = directory.resolve("bytes.svg");
    new DiskPlot(samples).drawBytes(bytes);
    assertThat(Files.readString(bytes)).startsWith("<?xml").contains("</svg>");
    assertThat(samples).extracting(DiskSample::phase).contains(Phase.IDLE);
    assertThat(samples.get(samples.size() - 1).tasks()).isEqualTo(2_000);
  }

  @Test
  @Tag("long")
  @Timeout(value = 110, unit = TimeUnit.MINUTES)
  void shouldStayWithinFourTimesLiveAndAGibibyteForAnHour() throws Exception {
    List<DiskSample> samples = churn(EmbeddedConfig.in(data()), 500_000, LONG, 1_000);
    assertThat(samples).extracting(DiskSample::phase).contains(Phase.values());
    assertThat(idleGrowthBytes(samples)).isLessThan(IDLE_GROWTH_BYTES_MAX);
  }

  private Path data() {
    return directory.resolve("data");
  }

  private List<DiskSample> churn(
      EmbeddedConfig.Builder config, int tasks, Duration duration, long intervalMs)
      throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Map<Phase, DiskSample> worst = new LinkedHashMap<>();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config.build())) {
      List<DiskSample> samples =
          new DiskWatch(queue, data(), intervalMs, sample -> keepWorst(worst, sample))
              .watch(new Churn(queue, new ChurnConfig(tasks, 512, 20_000, 10, 8, duration, seed)));
      worst.values().forEach(System.out::println);
      assertThat(samples).allSatisfy(sample -> assertThat(sample.isWithinBound()).isTrue());
      return samples;
    }
  }

  private static void keepWorst(Map<Phase, DiskSample> worst, DiskSample sample) {
    worst.merge(
        sample.phase(),
        sample,
        (known, other) -> known.shareOfBound() < other.shareOfBound() ? other : known);
  }

  /** By how much the disk fills while there is nothing. */
  private static long idleGrowthBytes(List<DiskSample> samples) {
    List<DiskSample> idle = samples.stream().filter(s -> s.phase() == Phase.IDLE).toList();
    return idle.get(idle.size() - 1).diskBytes() - idle.get(0).diskBytes();
  }
}
