package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "serve a",
        "serve --port 65536",
        "serve --port -1",
        "serve --durability os",
        "demo --nonsense",
        "demo a b",
        "demo --workers 0",
        "demo --workers many",
        "demo --durability much",
        "demo --crash-percent 101",
        "demo --crash-percent NaN",
        "demo --crash-percent 60 --hang-percent 60",
        "demo --poison -1",
        "demo --lease-ms 1",
        "demo --chunk-bytes 0",
        "bench a",
        "bench --seconds 0",
        "bench --seconds NaN",
        "bench --warmup-seconds -1",
        "bench --callers 0",
        "bench --callers 4001",
        "bench --batch 1001",
        "bench --batch 100 --value-bytes 100000",
        "bench --value-bytes 15",
        "bench --value-bytes 1048577",
        "bench --backlog -1",
        "bench --queues 0",
        "bench --sync much",
        "bench --rate 0",
        "bench --rate NaN",
        "log",
        "log dump",
        "log dump data --from 5 --to 4",
        "log dump data --limit 0",
        "log dump data --type nonsense",
        "log verify data --durability much",
        "log stats a b",
        "log repair data",
        "log repair --cut-at 2",
        "log repair data --cut-at x",
        "level",
        "level data --raise=x",
        "level data --raise 1 2",
        "level data --durability much",
      })
  void shouldReportUsageErrorInOneLine(String line) {
    assertThat(execute(line.isEmpty() ? new String[0] : line.split(" ", 0))).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1).allMatch(text -> text.startsWith("entroq"));
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "stat --data p3, entroq: Unknown command stat; did you mean stats",
    "log stat p3, entroq log: Unknown command stat; did you mean stats",
    "stats --dta p3, entroq stats: Unknown option --dta",
    "stats --data p3 --limt 3, entroq stats: Unknown option --limt; did you mean --limit",
    "stats --data p3 inbox, entroq stats: Unexpected argument inbox; did you mean -q inbox?",
    "stats inbox, entroq stats: Unexpected argument inbox; did you mean -q inbox?",
    "stats a:37706, entroq stats: Unexpected argument a:37706; did you mean -s a:37706?",
    "stats src, entroq stats: Unexpected argument src; did you mean --data src?",
    "stats --prot 3, entroq stats: Unknown option --prot; did you mean -s HOST:PORT?",
    "rm --data p3 x, entroq rm: Unexpected argument x; did you mean -t x?",
    "docs --data p3 x, entroq docs: Unexpected argument x; did you mean -n x?",
    "serve p3, entroq serve: Unexpected argument p3; did you mean --data p3?",
    "serve --prot 3, entroq serve: Unknown option --prot; did you mean --port?",
    "health --prot 3, entroq health: Unknown option --prot; did you mean --port?",
    "--prot 3, entroq: Unknown option --prot; did you mean entroq serve --port?",
    "insert, entroq: Unknown command insert; did you mean ins?",
    "redrve, entroq: Unknown command redrve; did you mean redrive?",
    "lsit, entroq: Unknown command lsit",
    "log verify a b, entroq log verify: Unexpected argument b (see",
  })
  void shouldSuggestSimilarNames(String line, String said) {
    assertThat(execute(line.split(" ", 0))).isEqualTo(2);
    assertThat(err.toString()).startsWith(said);
    assertThat(err.toString().lines()).hasSize(1);
  }

  @Test
  void shouldExplainTheDemo() {
    assertThat(execute("demo", "--help")).isZero();
    assertThat(out.toString()).contains("Examples:", "--data", "--crash-percent", "Exit status");
    assertThat(out.toString()).doesNotContain("@|");
  }

  @Test
  void shouldExplainTheLoadGenerator() {
    assertThat(execute("bench", "--help")).isZero();
    assertThat(out.toString()).contains("Examples:", "--rate=N", "--sync=LEVEL", "Exit status");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "verify", "stats"})
  void shouldExplainTheToolsOfTheLog(String tool) {
    assertThat(execute("log", tool, "--help")).isZero();
    assertThat(out.toString()).contains("Examples:", "--durability=LEVEL", "Exit status");
  }

  @Test
  void shouldExplainTheRepair() {
    assertThat(execute("log", "repair", "--help")).isZero();
    assertThat(out.toString()).contains("Examples:", "--cut-at=SEQ", "--yes", "Exit status");
  }

  @Test
  void shouldExplainTheLevel() {
    assertThat(execute("level", "--help")).isZero();
    assertThat(out.toString())
        .contains("Examples:", "--raise", "--yes", "Exit status", "is permanent");
  }

  @Test
  void shouldFailInOneLineWhenADirectoryCannotBeUsed(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThat(execute("demo", file.toString())).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(1)
        .allMatch(line -> line.contains("is a file, not a directory"));
    err.getBuffer().setLength(0);
    assertThat(execute("demo", directory.resolve("nope").toString())).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(1)
        .allMatch(line -> line.contains("nope does not exist"));
    err.getBuffer().setLength(0);
    assertThat(execute("demo", directory.toString(), "--data", directory.toString())).isEqualTo(1);
    assertThat(err.toString().lines())
        .hasSize(1)
        .allMatch(line -> line.contains("file does not belong there"));
  }

  private int execute(String... args) {
    CommandLine command = Main.commandLine(args);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(args);
  }
}
