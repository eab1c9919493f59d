package io.entroq.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.FaultKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tables of the README are what the code says; where one is not, the failure shows it whole.
 */
class ReadmeTablesTest {
  @Test
  void shouldListAllInvariants() throws IOException {
    assertShows(
        "| invariant | what must hold |",
        Arrays.stream(Invariant.values()).map(each -> row(each.label(), each.statement())));
  }

  @Test
  void shouldListAllFaults() throws IOException {
    assertShows(
        "| fault | what happens |",
        Arrays.stream(FaultKind.values()).map(each -> row(each.label(), each.effect())));
  }

  private static String row(String name, String says) {
    return "| `%s` | %s |".formatted(name, says);
  }

  private static void assertShows(String head, Stream<String> rows) throws IOException {
    String table = rows.collect(Collectors.joining("\n", "\n" + head + "\n|---|---|\n", "\n\n"));
    assertThat(Files.readString(Path.of("README.md"))).contains(table);
  }
}
