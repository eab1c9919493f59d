package io.entroq.server.demo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChaosTest {
  @Test
  void shouldDrawTheSameFatesFromTheSameSeed() {
    assertThat(fates(1, 20, 30)).isEqualTo(fates(1, 20, 30)).isNotEqualTo(fates(2, 20, 30));
  }

  @Test
  void shouldDrawAtTheGivenRates() {
    List<Fate> fates = fates(3, 20, 30);
    assertThat(Collections.frequency(fates, Fate.CRASH)).isBetween(1_800, 2_200);
    assertThat(Collections.frequency(fates, Fate.HANG)).isBetween(2_800, 3_200);
    assertThat(fates(3, 0, 0)).containsOnly(Fate.NONE);
    assertThat(fates(3, 100, 0)).containsOnly(Fate.CRASH);
    assertThat(fates(3, 0, 100)).containsOnly(Fate.HANG);
  }

  @Test
  void shouldSpareATaskAfterEightClaims() {
    Chaos chaos = new Chaos(1, 100, 0, Task::version);
    assertThat(chaos.fate(task(1, 8))).isEqualTo(Fate.CRASH);
    assertThat(chaos.fate(task(1, 9))).isEqualTo(Fate.NONE);
  }

  private static List<Fate> fates(long seed, double crashPercent, double hangPercent) {
    Chaos chaos = new Chaos(seed, crashPercent, hangPercent, Task::version);
    return IntStream.range(0, 10_000).mapToObj(i -> chaos.fate(task(i / 4, 1 + i % 4))).toList();
  }

  private static Task task(int version, int claims) {
    return new Task(
        TaskId.of("id"),
        version,
        "queue",
        Instant.EPOCH,
        "",
        Value.absent(),
        Instant.EPOCH,
        Instant.EPOCH,
        claims,
        0,
        "");
  }
}
