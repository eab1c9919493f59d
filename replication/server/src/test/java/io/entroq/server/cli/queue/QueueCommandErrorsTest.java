package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Error messages of the queue commands. */
class QueueCommandErrorsTest {
  /** A valid command line for each command, without the directory. */
  private static final List<String> LINES =
      List.of(
          "claim -q inbox --try",
          "tryclaimid -q inbox -t x",
          "ts -q inbox",
          "qs",
          "stats",
          "mod -t x",
          "rm -t x",
          "time");

  @TempDir private Path temporary;

  @Test
  void shouldCreateDirectoryOnlyForInserts() throws IOException {
    Path missing = temporary.resolve("missing");
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    for (String line : LINES) {
      run(missing, line).assertFailed("There is no log in " + missing, "does not exist");
      run(empty, line).assertFailed("There is no log in " + empty, "it has no subdirectory log");
    }
    assertThat(missing).doesNotExist();
    assertThat(empty).isEmptyDirectory();
    run(missing, "ins -q inbox").assertGoodWith("created the data directory " + missing);
    run(missing, "ins -q inbox").assertGood();
  }

  @Test
  void shouldNotTouchForeignDirectory() throws IOException {
    Path foreign = Files.createDirectory(temporary.resolve("foreign"));
    Path file = Files.writeString(foreign.resolve("notes.txt"), "x");
    run(foreign, "ins -q inbox").assertFailed("entroq ins: notes.txt does not belong there");
    run(file, "ins -q inbox").assertFailed("entroq ins: ");
    run(file, "ts -q inbox").assertFailed("entroq ts: There is no log in ", "not a directory");
    assertThat(foreign)
        .isDirectoryContaining("glob:**/notes.txt")
        .isDirectoryNotContaining("glob:**/log");
  }

  @Test
  void shouldReportOwnerOfDirectory() {
    Path data = temporary.resolve("data");
    EntroQ queue = EmbeddedEntroQ.open(data);
    try (queue) {
      for (String line : LINES) {
        run(data, line).assertFailed("is in use by another engine of this process (pid ");
      }
      run(data, "ins -q inbox")
          .assertFailed("entroq ins: The data directory " + data + " is in use");
    }
  }

  @Test
  void shouldReportPositionOfDamage() throws IOException {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "spoilt value")).orThrow();
      queue.modify(Modification.insert("inbox", "good value")).orThrow();
    }
    Path segment;
    try (LogDirectory locked = LogDirectory.open(data)) {
      segment = locked.runs().get(0).segments().get(0).file();
    }
    byte[] bytes = Files.readAllBytes(segment);
    bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("spoilt value")] ^= 1;
    Files.write(segment, bytes);
    run(data, "ts -q inbox")
        .assertFailed("entroq ts: The log is damaged", segment.getFileName().toString());
    run(data, "ins -q inbox").assertFailed("entroq ins: The log is damaged");
  }

  @Test
  void shouldRejectWhatTheQueueRejects() {
    Path data = temporary.resolve("data");
    String tooLong = "q".repeat(1_025);
    run(data, "ins -q " + tooLong)
        .assertMisused("option '--queue': queue must have at most 1024 bytes, has 1025");
    assertThat(data).doesNotExist();
    run(data, "ins -q inbox").assertGoodWith("created the data directory");
    run(data, "ins -q inbox -v \"" + "v".repeat(1 << 20) + "\"")
        .assertMisused("1048580 bytes, the limit is 1048576");
    run(data, "claim -q inbox --claimant " + tooLong).assertMisused("claimant must have at most");
    run(data, "redrive -q inbox --claimant " + tooLong).assertMisused("claimant must have at most");
    run(data, "redrive -q " + tooLong.substring(1)).assertMisused("queue must have at most");
    run(data, "mod -Q " + tooLong + " -t x").assertMisused("queue must have at most");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ins -q",
        "claim -q",
        "claim -q a -q",
        "tryclaimid -t x -q",
        "ts -q",
        "qs -q",
        "stats -q",
        "clear -q",
        "mod -t x -Q",
        "redrive -q",
        "redrive -q a --from",
        "redrive -q a --to",
      })
  void shouldRejectEmptyQueueName(String line) {
    Path data = temporary.resolve("data");
    List<Object> words = new ArrayList<>(List.of((Object[]) line.split(" ", 0)));
    words.addAll(List.of("", "--data", data));
    Cli.run(words.toArray()).assertMisused("queue must not be empty", "--help)");
    assertThat(data).doesNotExist();
  }

  @Test
  void shouldNotPrintTerminalControls() {
    Path data = temporary.resolve("data");
    String nasty = "\u001b[2J\u009b31m\nx";
    Cli.on(data, "ins", "-q", nasty).assertGoodWith("created the data directory");
    Cli.on(data, "claim", "-q", nasty, "--claimant", nasty).assertGood();
    String id = Cli.on(data, "ts", "-q", nasty).lastLine().get("id").asText();
    Cli.on(data, "mod", "-t", id).assertFailed("is claimed by ?[2J?31m?x until ");
    Cli.on(data, "clear", "-f", "-q", nasty).assertGoodWith("1 task deleted from ?[2J?31m?x");
    Cli.on(data, "rm", "-t", nasty).assertFailed("there is no task ?[2J?31m?x");
    Cli.on(data, "ins", "-q", "a", "-i", nasty).assertMisused("'?[2J?31m?x' is not a duration");
    Cli.on(data, "ins", "-q", nasty).assertGood();
    assertThat(Cli.on(data, "stats").assertGood().out().lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("?[2J?31m?x  1 "));
    assertThat(Cli.on(data, "redrive", "--from", nasty + "/err", "--to", nasty).assertGood().out())
        .endsWith("from ?[2J?31m?x/err to ?[2J?31m?x.\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ins",
        "ins -q",
        "ins -q a -v hello",
        "ins -q a -v {\"x\":}",
        "ins -q a -v [1] -v",
        "ins -q a -i soon",
        "ins -q a -i -1",
        "ins -q a extra",
        "claim",
        "claim -q a -d -1",
        "claim -q a -d 1y",
        "claim -q a --durability much",
        "tryclaimid -q a",
        "tryclaimid -t x",
        "ts",
        "ts -q a -n -1",
        "ts -q a -n x",
        "qs -n -1",
        "stats -n x",
        "stats extra",
        "mod",
        "mod -t x -v {",
        "rm",
        "rm -t x -r 0",
        "rm -t x -t y",
        "time -x",
        "time -m -l",
      })
  void shouldRejectInvalidCommandLine(String line) {
    Path data = temporary.resolve("data");
    run(data, line).assertMisused("(see entroq " + line.split(" ", 2)[0] + " --help)");
    assertThat(data).doesNotExist();
  }

  @Test
  void shouldRequireDirectory() {
    for (String line : LINES) {
      Cli.run((Object[]) line.split(" ", 0)).assertMisused("Missing required option: '--data=DIR'");
    }
  }

  private static Cli run(Path data, String line) {
    String[] words = line.split(" ", 0);
    Object[] args = new Object[words.length - 1];
    System.arraycopy(words, 1, args, 0, args.length);
    return Cli.on(data, words[0], args);
  }
}
