package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the guides: each command that they show does what they say, one after the other as they
 * stand there, on a server in a process of its own.
 */
class GuideCommandsIT {
  private static final Path GUIDES = Path.of("../guides");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

  /** What follows the commands of other guides. */
  private static final Map<String, String> TESTED_ELSEWHERE =
      Map.of(
          "running-a-cluster", "RunbookIT",
          "members-over-wireguard", "WireGuardIT",
          "migrating-from-entroq", "ImportTest");

  @TempDir private Path directory;

  private ServerProcess server;

  /** The commands of the guide that have not been run yet. */
  private List<String> left;

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  private void open(String guide) throws IOException {
    left = new ArrayList<>(commands(GUIDES.resolve(guide + ".md")));
  }

  private void serve(Object... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("--warm-up", "0"));
    Stream.of(options).map(Object::toString).forEach(words::add);
    server = ServerProcess.start(0, words.toArray(String[]::new));
  }

  private static List<String> commands(Path guide) throws IOException {
    return Files.readString(guide)
        .replaceAll("\\\\\n +", "")
        .lines()
        .filter(line -> line.matches("    (\\$ )?(entroq|curl) .*"))
        // Beside a command may stand what it does.
        .map(line -> line.strip().replaceFirst("^\\$ ", "").replaceFirst("   .*", ""))
        .toList();
  }

  /** The words of the next command of the guide, which must be this one. */
  private List<String> next(String command) {
    assertThat(left).first().isEqualTo(command);
    left.remove(0);
    return WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group() : word.group(1))
        .map(this::here)
        .skip(1)
        .toList();
  }

  /** The server and the directories of this test in place of those of the reader. */
  private String here(String word) {
    if (word.equals("localhost:37706")) {
      return "localhost:" + server.port();
    }
    return word.matches("data2?|/backups/monday|entroq.yml")
        ? directory.resolve(word.replaceFirst(".*/", "")).toString()
        : word;
  }

  /** Runs the next command of the guide. */
  private Cli run(String command) {
    return Cli.run(next(command).toArray());
  }

  /** The same, in a terminal with {@code SVCADDR}. */
  private Cli runThere(String command) {
    List<String> words = new ArrayList<>(next(command));
    words.addAll(List.of("-s", "localhost:" + server.port()));
    return Cli.run(words.toArray());
  }

  private void fill(Insert... inserts) {
    try (EntroQ queue = EntroQ.connect("localhost:" + server.port())) {
      queue.modify(Modification.insert(inserts)).orThrow();
    }
  }

  private List<String> tasks(String name) {
    try (EntroQ queue = EntroQ.connect("localhost:" + server.port())) {
      return queue.tasks(TaskQuery.in(name)).stream().map(Task::text).toList();
    }
  }

  @Test
  void shouldKnowWhatFollowsEachGuide() throws IOException {
    String here =
        Files.readString(Path.of("src/test/java/io/entroq/server/cli/GuideCommandsIT.java"));
    try (Stream<Path> guides = Files.list(GUIDES)) {
      for (Path guide : guides.toList()) {
        String name = guide.getFileName().toString().replace(".md", "");
        assertThat(commands(guide).isEmpty() || TESTED_ELSEWHERE.containsKey(name))
            .as(name + ": has no command, or is followed here or elsewhere")
            .isNotEqualTo(here.contains("open(\"" + name + "\")"));
      }
    }
    try (Stream<Path> tests = Files.walk(Path.of("src/test/java"))) {
      assertThat(tests.map(test -> test.getFileName().toString().replace(".java", "")))
          .containsAll(TESTED_ELSEWHERE.values());
    }
  }

  @Test
  void shouldRunAServer() throws IOException {
    open("running-a-server");
    assertThat(next("entroq serve --data data").get(0)).isEqualTo("serve");
    serve("--data", directory.resolve("data"));
    runThere("entroq ins -q inbox -v '{\"x\":1}'").assertGood();
    JsonNode claimed = runThere("entroq claim -q inbox --claimant me").assertGood().json();
    assertThat(claimed.get("value").toString()).isEqualTo("{\"x\":1}");
    assertThat(runThere("entroq stats").assertGood().out()).contains("inbox");

    String settings = Files.readString(GUIDES.resolve("running-a-server.md"));
    MatchResult file =
        Pattern.compile(" +# entroq.yml\n( +.*\n)+").matcher(settings).results().findFirst().get();
    Files.writeString(directory.resolve("entroq.yml"), file.group().indent(-4));
    assertThat(run("entroq serve --config entroq.yml --print-config").assertGood().out())
        .contains("/var/lib/entroq/data")
        .contains("log-format: json");

    assertThat(run("entroq backup -s localhost:37706 /backups/monday").status()).isZero();
    assertThat(run("entroq restore /backups/monday data2").status()).isZero();
    server.terminate();
    assertThat(server.awaitEnd()).isEqualTo(128 + 15);
    server.close();
    assertThat(next("entroq serve --data data2").get(0)).isEqualTo("serve");
    serve("--data", directory.resolve("data2"));
    assertThat(tasks("inbox")).containsExactly("{\"x\":1}");

    assertThat(run("entroq level -s localhost:37706").assertGood().out()).contains("level");
    assertThat(run("entroq level -s localhost:37706 --raise").status()).isZero();
    assertThat(run("entroq log verify data").status()).isZero();
    assertThat(left).isEmpty();
  }

  @Test
  void shouldReturnTasksFromQuarantine() throws Exception {
    open("retries-and-dead-letters");
    serve();
    Insert dead = Insert.into("mails/err").withAttempt(5, "mailbox is full");
    fill(dead.withValue("1"));
    assertThat(run("entroq stats -s localhost:37706 -p mails").assertGood().out())
        .contains("mails/err");
    assertThat(run("entroq ts -s localhost:37706 -q mails/err").assertGood().out())
        .contains("mailbox is full");
    assertThat(run("entroq redrive -s localhost:37706 -q mails --dry-run").assertGood().out())
        .contains("1 of 1");
    assertThat(tasks("mails")).isEmpty();
    run("entroq redrive -s localhost:37706 -q mails").assertGood();
    assertThat(tasks("mails")).containsExactly("1");

    fill(dead.withValue("2"), Insert.into("mails/err").withAttempt(5, "no such user"));
    List<String> call =
        next(
            "curl -X POST localhost:9100/api/entroq/redrive -H 'Content-Type: application/json'"
                + " -d '{\"from\":\"mails/err\",\"err\":\"mailbox is full\"}'");
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://" + call.get(2).replace("9100", "" + server.httpPort())))
            .header("Content-Type", call.get(4).replaceFirst(".*: ", ""))
            .method(call.get(1), BodyPublishers.ofString(call.get(6)))
            .build();
    assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    assertThat(tasks("mails")).containsExactlyInAnyOrder("1", "2");

    assertThat(run("entroq clear -s localhost:37706 -q mails/err").status()).isZero();
    assertThat(tasks("mails/err")).isEmpty();
    assertThat(left).isEmpty();
  }

  @Test
  void shouldLimitTheRateOfCalls() throws IOException {
    open("calling-an-api-with-a-rate-limit");
    serve();
    run("entroq limiter set -s localhost:37706 -n api --rate 50/1s --burst 5 --in-flight 4")
        .assertGood();
    run("entroq policy set -s localhost:37706 -q calls/urgent --limiter api").assertGood();
    run("entroq policy set -s localhost:37706 -q calls/nightly --limiter api --rate 25/1s")
        .assertGood();
    fill(Insert.into("calls/urgent"));
    assertThat(run("entroq limiter get -s localhost:37706 -n api").assertGood().out())
        .contains("50");
    assertThat(run("entroq stats -s localhost:37706 -p calls/").assertGood().out())
        .contains("calls/urgent");
    assertThat(left).isEmpty();
  }

  @Test
  void shouldFanOutToGroupsAndShareAmongTenants() throws IOException {
    open("fan-out-to-groups");
    serve();
    run("entroq policy set -s localhost:37706 -q orders --group billing --group mail").assertGood();
    run("entroq group add -s localhost:37706 -q orders search").assertGood();
    run("entroq group rm -s localhost:37706 -q orders mail").assertGood();
    assertThat(run("entroq group ls -s localhost:37706 -q orders").assertGood().out())
        .contains("billing", "search")
        .doesNotContain("mail");
    assertThat(left).isEmpty();
    fill(Insert.into("orders").withValue("17"));
    assertThat(tasks("orders/search")).containsExactly("17");

    open("fair-tenants");
    run("entroq policy set -s localhost:37706 -q inbox --pool least-in-flight").assertGood();
    assertThat(left).isEmpty();
    fill(Insert.into("inbox").withKey("tenant-42"));
    assertThat(
            Cli.run("claim", "-q", "inbox", "-s", "localhost:" + server.port())
                .assertGood()
                .json()
                .get("queue")
                .asText())
        .isEqualTo("inbox/tenant-42");
  }

  /** Whether they are settings that a server takes; what these do is tested with the service. */
  @Test
  void shouldAcceptTheSettingsOfCallers() throws IOException {
    open("authentication-and-authorization");
    int servers = 0;
    String tokens = "";
    for (String command : List.copyOf(left)) {
      if (command.startsWith("entroq serve ")) {
        servers++;
        tokens = tokens.isEmpty() ? command.replaceFirst(".*--authn jwt", "") : tokens;
        List<String> words = new ArrayList<>(List.of(command.replace("…", tokens).split(" +")));
        words.add("--print-config");
        assertThat(Cli.run(words.subList(1, words.size()).toArray()).assertGood().out())
            .contains("authn: jwt");
      }
    }
    assertThat(servers).isEqualTo(3);
  }
}
