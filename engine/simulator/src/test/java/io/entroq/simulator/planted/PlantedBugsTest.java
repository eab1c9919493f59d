package io.entroq.simulator.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The planted bugs still fit the sources, and some of them are caught quickly. */
@Timeout(600)
class PlantedBugsTest {
  private static final int BUGS_LEAST = 40;

  private final List<PlantedBug> bugs = PlantedBugs.all();
  private final Planting planting = new Planting();

  @Test
  void shouldHaveManyBugsOfDifferentNames() {
    assertThat(bugs).hasSizeGreaterThanOrEqualTo(BUGS_LEAST);
    assertThat(PlantedBugs.ofPolicies()).hasSizeGreaterThanOrEqualTo(BUGS_LEAST);
    assertThat(
            Stream.concat(bugs.stream(), PlantedBugs.ofPolicies().stream()).map(PlantedBug::name))
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldFitTheSourcesAndCompile() {
    // Bugs in different classes are compiled together; one by one takes ten times as long.
    List<Map<String, String>> batches = new ArrayList<>();
    Map<String, Integer> met = new HashMap<>();
    List<PlantedBug> all = new ArrayList<>(bugs);
    all.addAll(PlantedBugs.ofPolicies());
    for (PlantedBug bug : all) {
      int batch = met.merge(bug.className(), 1, Integer::sum) - 1;
      if (batch == batches.size()) {
        batches.add(new HashMap<>());
      }
      batches.get(batch).put(bug.className(), planting.source(bug));
    }
    for (Map<String, String> batch : batches) {
      assertThat(MemoryCompiler.compile(batch)).isNotEmpty();
    }
  }

  @Test
  void shouldRefuseLinesThatAreNotThereOnce() {
    Hunk hunk = new Hunk(List.of(" a", "-b", "+c"));
    assertThat(hunk.applyTo(List.of("x", "  a", "  b", "y"))).containsExactly("x", "  a", "c", "y");
    assertThatThrownBy(() -> hunk.applyTo(List.of("a", "x", "b")))
        .hasMessageContaining("not there");
    assertThatThrownBy(() -> hunk.applyTo(List.of("a", "b", "a", "b")))
        .hasMessageContaining("more than once");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claim-exceeds-its-limit",
        "renewal-keeps-the-version",
        "last-come-first-served",
        "reused-record-not-cleared",
        "answer-of-the-next-command",
        "shows-before-it-is-forced",
        "first-step-told-again"
      })
  void shouldBeCaughtWithinSeconds(String name) {
    PlantedBug bug = bugs.stream().filter(each -> each.name().equals(name)).findAny().orElseThrow();
    assertThat(run(planting.plant(bug), bug.members())).containsKey("invariant");
  }

  @Test
  void shouldFindNothingInTheProductThroughTheSameLoader() {
    assertThat(run(planting.plantNothing(), 1)).containsOnlyKeys("hours");
  }

  private static Map<String, String> run(PlantingLoader loader, int members) {
    return Planting.run(loader, WorldRun.class)
        .apply(
            Map.of(
                "seed",
                "1",
                "hours",
                members == 1 ? "0.01" : "0.03",
                "members",
                Integer.toString(members),
                "leftNs",
                Long.toString(Long.MAX_VALUE / 2)));
  }
}
