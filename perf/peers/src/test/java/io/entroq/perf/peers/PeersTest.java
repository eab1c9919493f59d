package io.entroq.perf.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PeersTest {
  private final StringWriter err = new StringWriter();
  private final StringWriter out = new StringWriter();

  @TempDir private Path directory;

  @Test
  void shouldMeasureEntroQAndSqliteAtEveryClass() throws IOException {
    assertThat(
            run(
                "--peers",
                "entroq,sqlite",
                "--seconds",
                "1",
                "--first-warm-up",
                "0.01",
                "--shapes",
                "sync1,batch"))
        .isZero();
    assertExact();
    assertThat(Files.readAllLines(figures().resolve("peers.csv"))).hasSize(1 + 2 * 3 * 2);
    assertThat(directory.resolve("files")).isEmptyDirectory();
  }

  @Test
  @Tag("long")
  void shouldMeasureEveryPeerThatIsThere() throws IOException {
    assertThat(run("--seconds", "0.3", "--first-warm-up", "0.3")).isZero();
    assertExact();
    assertThat(directory.resolve("files")).isEmptyDirectory();
  }

  @Test
  @Tag("long")
  void shouldMeasureEveryClusterThatIsThereAgainAfterAPause() throws IOException {
    assertThat(run("--replicas", "3", "--seconds", "1", "--first-warm-up", "0.3", "--rounds", "2"))
        .isZero();
    assertExact();
    assertThat(directory.resolve("files")).isEmptyDirectory();
  }

  @Test
  void shouldListSingleNodesOrClustersButNotBoth() {
    assertThat(run("--list")).isZero();
    assertThat(out.toString()).contains("sqlite", "kafka", "nats");
    out.getBuffer().setLength(0);
    assertThat(run("--list", "--replicas", "3")).isZero();
    assertThat(out.toString()).contains("entroq", "kafka", "rabbitmq", "nats").hasLineCount(4);
  }

  @Test
  void shouldRefuseOtherNumbersOfReplicas() {
    assertThat(run("--replicas", "2")).isEqualTo(2);
    assertThat(err.toString()).contains("--replicas must be 1 or 3");
  }

  @Test
  void shouldSayWhatThereIsWhenAPeerIsUnknown() {
    assertThat(run("--peers", "entroq,pulsar")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--peers does not know pulsar; choose from entroq, ")
        .doesNotContain("Exception");
  }

  @Test
  void shouldShowAnExampleInTheHelp() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("--peers", "--rounds", "java -jar");
  }

  private int run(String... args) {
    CommandLine command = Peers.commandLine();
    command.setErr(new PrintWriter(err, true)).setOut(new PrintWriter(out, true));
    List<String> all = new ArrayList<>(List.of(args));
    if (!all.contains("--rounds")) {
      all.addAll(List.of("--rounds", "1"));
    }
    if (!all.contains("--help")) {
      all.addAll(
          List.of(
              "--warm-up",
              "0.02",
              "--out",
              figures().toString(),
              "--dir",
              directory.resolve("files").toString()));
    }
    return command.execute(all.toArray(String[]::new));
  }

  private void assertExact() throws IOException {
    List<String> rounds = Files.readAllLines(figures().resolve("peers-rounds.csv"));
    assertThat(rounds.subList(1, rounds.size()))
        .isNotEmpty()
        .allMatch(line -> line.endsWith(",0,0,"));
  }

  private Path figures() {
    return directory.resolve("figures");
  }
}
