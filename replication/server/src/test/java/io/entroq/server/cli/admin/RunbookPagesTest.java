package io.entroq.server.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands for operators that the pages show, and what tests each runbook. */
class RunbookPagesTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Path REPLICATION = ROOT.resolve("replication");
  private static final Path FOLLOWED =
      Path.of("src/test/java/io/entroq/server/cli/admin/RunbookIT.java");

  /** What tests the runbooks that {@link RunbookIT} does not follow as they are written. */
  private static final Map<String, String> TESTED_ELSEWHERE =
      Map.ofEntries(
          // Part of others there.
          Map.entry("A disk damages files", "RunbookIT"),
          Map.entry("A majority is down", "RunbookIT"),
          Map.entry("Stop the whole cluster", "SnapshotIT"),
          Map.entry("Change a setting", "ClusterOfTwoSecretsIT"),
          Map.entry("A disk is full", "MemberDiskIT"),
          Map.entry("Memory is full", "MemoryBoundTest"),
          Map.entry("Install a newer build, and go back", "OlderBuildIT"),
          Map.entry("Elections on a busy machine", "StalledMemberIT"),
          Map.entry("Move a member", "MemberMoveIT"),
          Map.entry("Add or remove members", "MembershipCommandIT"),
          Map.entry("A wrong clock", "MemberTroubleTest"));

  @Test
  void shouldKnowWhatTestsEachRunbook() throws IOException {
    String followed = Files.readString(FOLLOWED);
    assertThat(Runbook.all())
        .extracting(Runbook::title)
        .containsAll(TESTED_ELSEWHERE.keySet())
        .allSatisfy(
            title ->
                assertThat(followed.contains("follow(\"" + title + "\""))
                    .as(title + ": followed by RunbookIT, or tested elsewhere")
                    .isNotEqualTo(TESTED_ELSEWHERE.containsKey(title)));
    try (Stream<Path> files = Files.walk(ROOT)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsAll(
              TESTED_ELSEWHERE.values().stream().map(test -> test + ".java").distinct().toList());
    }
  }

  @Test
  void shouldShowCommandsThatAreNotRefused() throws IOException {
    assertThat(commands("(backup|replace-member) .*-s \\S+,.*"))
        .hasSizeGreaterThan(3)
        .allMatch(command -> command.matches(".* (--tls-ca \\S+|--insecure-copies)( .*|$)"));
    // Without the secret, the leader sends nothing.
    assertThat(commands("replace-member .*"))
        .isNotEmpty()
        .allMatch(command -> command.contains(" --secret-file "));
    assertThat(commands("shutdown .*"))
        .isNotEmpty()
        .allMatch(command -> command.contains(" --yes"));
  }

  /** The commands in both pages that match. */
  private static List<String> commands(String words) throws IOException {
    List<String> commands = new ArrayList<>();
    for (String page : List.of("guides/running-a-cluster.md", "cluster/README.md")) {
      Files.readAllLines(REPLICATION.resolve(page)).stream()
          .map(line -> line.strip().replaceFirst("^\\$ ", ""))
          .filter(line -> line.matches("entroq " + words))
          .forEach(commands::add);
    }
    return commands;
  }
}
