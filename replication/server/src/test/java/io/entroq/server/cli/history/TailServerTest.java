package io.entroq.server.cli.history;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.cli.Cli;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The {@code tail} command on a server. */
@Timeout(300)
class TailServerTest {
  @TempDir private Path data;
  private EntroqServer server;
  private String address;

  @BeforeEach
  void open() {
    start(0);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void start(int port) {
    server =
        EntroqServer.start(
            Settings.of(
                List.of(),
                Optional.empty(),
                Map.of(
                    "ENTROQ_HOST",
                    "127.0.0.1",
                    "ENTROQ_PORT",
                    Integer.toString(port),
                    "ENTROQ_HTTP_PORT",
                    "0",
                    "ENTROQ_DATA",
                    data.toString())));
    address = "127.0.0.1:" + server.port();
  }

  private void done(Object... words) {
    assertThat(run(words).status()).isZero();
  }

  private Cli run(Object... words) {
    Object[] all = new Object[words.length + 2];
    System.arraycopy(words, 0, all, 0, words.length);
    all[words.length] = "-s";
    all[words.length + 1] = address;
    return Cli.run(all);
  }

  /** Inserts until one is printed. */
  private void await(Tail tail) {
    until(
        "it prints",
        () -> {
          done("ins", "-q", "inbox", "-v", "1", "--claimant", "me");
          return !tail.out().isEmpty();
        });
  }

  @Test
  void shouldPrintTheSameLinesAsOfTheDirectory() throws Exception {
    List<String> text;
    List<String> json;
    try (Tail plain = new Tail(address);
        Tail objects = new Tail(address, "--json")) {
      await(plain);
      await(objects);
      done("claim", "-q", "inbox", "--claimant", "me");
      done("doc-put", "-n", "notes", "-k", "a b", "-v", "1", "--claimant", "me");
      done("policy", "set", "-q", "stripe", "--in-flight", "1", "--claimant", "me");
      done("pause", "-q", "inbox", "--claimant", "me");
      done("resume", "-q", "inbox", "--claimant", "me");
      done("ins", "-q", "last", "-v", "1", "--claimant", "me");
      until("all is printed", () -> plain.out().contains("=last "));
      until("all is printed", () -> objects.out().contains("\"last\""));
      text = plain.end();
      json = objects.end();
    }
    assertThat(String.join("\n", text)).contains("claimed", "set-written", "policy-deleted");
    server.close();
    assertThat(text).isEqualTo(lastLines(text.size()));
    assertThat(json).isEqualTo(lastLines(json.size(), "--json"));
    start(0);
  }

  private List<String> lastLines(int count, Object... options) {
    List<String> all = Cli.on(data, "tail", options).assertGood().out().lines().toList();
    return all.subList(all.size() - count, all.size());
  }

  @Test
  void shouldSelectAndEnd() {
    try (Tail tail = new Tail(address, "-q", "in*", "--kind", "deleted")) {
      until(
          "it prints",
          () -> {
            String id = run("ins", "-q", "inbox", "-v", "1").json().get(0).get("id").asText();
            done("rm", "-t", id, "-f");
            done("ins", "-q", "other", "-v", "1");
            return !tail.out().isEmpty();
          });
      String line = tail.out().lines().findFirst().orElseThrow();
      assertThat(line).contains(" deleted queue=inbox ");
      String position = line.split(" ")[1];
      assertThat(run("tail", "--from", position, "--until", position).assertGood())
          .extracting(Cli::out)
          .isEqualTo("");
      long before = Long.parseLong(position.split("-")[0]) - 1;
      assertThat(
              run("tail", "--from", before, "--until", position, "--kind", "deleted")
                  .assertGood()
                  .out())
          .isEqualTo(line + System.lineSeparator());
    }
  }

  @Test
  void shouldBeginWithTheState() throws Exception {
    done("ins", "-q", "inbox", "-v", "1", "--claimant", "me");
    done("claim", "-q", "inbox", "--claimant", "you");
    done("ins", "-q", "other", "-v", "1");
    try (Tail tail = new Tail(address, "--from", "snapshot", "-q", "inbox")) {
      until("it prints the state", () -> tail.out().contains("\n"));
      done("ins", "-q", "inbox", "-v", "2", "--claimant", "me");
      until("it goes on", () -> tail.out().lines().count() == 2);
      List<String> lines = tail.end();
      assertThat(lines.get(0)).contains(" inserted queue=inbox ", " claimant=you claims=1");
      assertThat(lines.get(1)).contains(" inserted queue=inbox ").doesNotContain("claims");
    }
  }

  @Test
  void shouldEndWithATime() {
    done("ins", "-q", "inbox", "-v", "1");
    String now = Instant.now().toString();
    String line = run("tail", "--from", "0", "--until", now, "-q", "inbox").out().strip();
    String time = line.split(" ")[0];
    String before = Instant.parse(time).minusMillis(1).toString();
    done("ins", "-q", "inbox", "-v", "2");
    assertThat(
            run("tail", "--from", "0", "--until", time, "-q", "inbox").assertGood().out().strip())
        .isEqualTo(line);
    assertThat(run("tail", "--from", "0", "--until", before, "-q", "inbox").assertGood().out())
        .isEmpty();
    String soon = Instant.now().plusMillis(500).toString();
    assertThat(
            run("tail", "--from", "0", "--until", soon, "-q", "inbox").assertGood().out().lines())
        .as("though nothing happens then")
        .hasSize(2);
  }

  @Test
  void shouldPrintWhatHappenedToATaskOfAServer() {
    String id = run("ins", "-q", "inbox", "-v", "1").json().get(0).get("id").asText();
    done("claim", "-q", "inbox", "--claimant", "me");
    done("ins", "-q", "inbox", "-v", "2");
    done("mod", "-t", id, "-Q", "inbox/err", "--claimant", "me");
    List<String> lines = run("history", "-t", id).assertGood().out().lines().toList();
    assertThat(lines)
        .extracting(line -> line.split(" ")[2])
        .containsExactly("inserted", "claimed", "moved");
    assertThat(lines)
        .isEqualTo(Cli.on(data, "history", "-t", id).assertGood().out().lines().toList());
    run("history", "-t", "nobody")
        .assertGoodWith("entroq history: nothing is known of a task nobody");
    String start = sequence(lines.get(0));
    String end = sequence(lines.get(2));
    assertThat(run("diff", start, end).assertGood().out())
        .isEqualTo(Cli.on(data, "diff", start, end).assertGood().out())
        .containsPattern("moved +" + id + " +inbox +inbox/err +2 +1 ")
        .contains("created");
    String from = lines.get(0).split(" ")[0];
    String until = lines.get(2).split(" ")[0];
    assertThat(run("diff", from, until, "-j").assertGood().out())
        .isEqualTo(Cli.on(data, "diff", from, until, "-j").assertGood().out())
        .contains("\"moved\"");
    assertThat(run("diff", start, end, "-q", "inbox/err").assertGood().out().lines()).hasSize(2);
    run("diff", "1", "999").assertFailed("there is no record 999: the log ends with record ");
    run("diff", "4", "3").assertMisused("3 is before 4");
    run("diff", "1", "2", "--durability", "disk").assertMisused("--durability applies to --data");
    run("history", "-t", id, "--data", data).assertMisused("--data and -s cannot be combined");
  }

  private static String sequence(String line) {
    return line.split(" ")[1].split("-")[0];
  }

  @Test
  void shouldSayThatItTriesAgain() {
    int port = server.port();
    try (Tail tail = new Tail(address)) {
      await(tail);
      server.close();
      until("it says so", () -> tail.err().contains("; trying again"));
      start(port);
      done("ins", "-q", "outbox", "-v", "1");
      until("it goes on", () -> tail.out().contains("=outbox "));
      assertThat(tail.err().lines()).hasSize(2).allMatch(line -> line.startsWith("entroq tail: "));
      assertThat(tail.err()).contains("connected again");
    }
  }

  @Test
  void shouldSayInOneLineWhatIsWrong() {
    done("ins", "-q", "inbox", "-v", "1");
    run("tail", "--from", "1000000", "--until", "1000001").assertFailed("last");
    run("tail", "--from", "5@0123456789abcdef0123456789abcdef").assertFailed("log");
    run("tail", "--from", "2026-01-02", "--until", "2026-01-01")
        .assertMisused("--until is before --from");
    run("tail", "--durability", "disk").assertMisused("--durability applies to --data");
    run("tail", "--data", data).assertMisused("--data and -s cannot be combined");
    Cli.on(data, "tail", "--from", "now").assertMisused("apply to a server");
    Cli.on(data, "tail", "--from", "snapshot").assertMisused("apply to a server");
    Cli.run("tail").assertMisused("'--data=DIR' or '--svcaddr=HOST:PORT'");
    Cli.run("tail", "-s", "127.0.0.1:1", "--connect-timeout", "250ms")
        .assertFailed("no answer from");
  }

  /** The command, on a thread of its own. */
  private static final class Tail implements AutoCloseable {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Thread thread;
    private volatile int status = -1;

    Tail(String address, String... options) {
      String[] words = new String[options.length + 3];
      words[0] = "tail";
      words[1] = "-s";
      words[2] = address;
      System.arraycopy(options, 0, words, 3, options.length);
      thread = new Thread(() -> status = Cli.run(out, err, words), "tail");
      thread.start();
    }

    String out() {
      return out.toString();
    }

    String err() {
      return err.toString();
    }

    /** As Ctrl-C does. */
    List<String> end() throws InterruptedException {
      thread.interrupt();
      thread.join();
      assertThat(err()).isEmpty();
      assertThat(status).isEqualTo(130);
      return out().lines().toList();
    }

    @Override
    public void close() {
      thread.interrupt();
      boolean isInterrupted = false;
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
