package io.entroq.simulator.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every planted bug is caught within two minutes of two processors' time, and nothing is found
 * without a bug. {@code -Dplanted.bugs=NAME,NAME} hunts only these, {@code -Dplanted.table=FILE}
 * writes the page.
 */
@Tag("long")
class PlantedBugsLongTest {
  private static final int SECONDS_MAX = 120;

  private final Trials trials = new Trials(5, SECONDS_MAX);
  private final Planting planting = new Planting();

  @Test
  @Timeout(24 * 3_600)
  void shouldCatchEachWithinTwoMinutes() throws IOException {
    String file = System.getProperty("planted.table");
    if (file != null) {
      assertThat(System.getProperty("planted.bugs")).as("the page is about all of them").isNull();
      shouldCatchNothingWithoutABug();
    }
    Map<PlantedBug, Hunted> all = new LinkedHashMap<>();
    for (PlantedBug bug : chosen()) {
      Hunted hunted = trials.hunt(planting.plant(bug), bug.members());
      System.out.println(PlantedTable.row(bug, hunted));
      all.put(bug, hunted);
    }
    if (file != null) {
      Files.writeString(Path.of(file), PlantedTable.of(all));
    }
    assertThat(all).allSatisfy((bug, hunted) -> assertThat(hunted.isCaught()).isTrue());
  }

  private static List<PlantedBug> chosen() {
    String names = System.getProperty("planted.bugs");
    List<PlantedBug> all = PlantedBugs.all();
    return names == null
        ? all
        : all.stream().filter(bug -> List.of(names.split(",")).contains(bug.name())).toList();
  }

  @Test
  @Timeout(20 * SECONDS_MAX)
  void shouldCatchNothingWithoutABug() {
    for (int members : new int[] {1, 3}) {
      assertThat(trials.hunt(planting.plantNothing(), members).sightings()).isEmpty();
    }
  }
}
