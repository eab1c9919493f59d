package io.entroq.server.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of {@code entroq work} on a directory. */
class WorkCommandsTest {
  @TempDir private Path temporary;
  private Path data;

  @BeforeEach
  void chooseDirectory() {
    data = temporary.resolve("data");
  }

  private void insert(String... values) {
    for (String value : values) {
      Cli.on(data, "ins", "-q", "in", "-v", value);
    }
  }

  /** Runs a worker until its queue is empty. */
  private Cli work(Object... words) {
    List<Object> all = new ArrayList<>(List.of("work", words[0], "--data", data));
    all.addAll(List.of("-q", "in", "--until-empty"));
    all.addAll(Arrays.asList(words).subList(1, words.length));
    return Cli.run(all.toArray());
  }

  private void assertWorked(Object... words) {
    work(words).assertGoodWith("entroq work " + words[0] + ": working on in");
  }

  /** Each line of the page that is a command. */
  static List<String> shownCommands() throws IOException {
    return Files.readString(Path.of("../../engine/workers/README.md"))
        .lines()
        .filter(line -> line.startsWith("    entroq work "))
        .map(String::strip)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("shownCommands")
  void shouldRunWhatThePageShows(String line) throws Exception {
    Cli.on(data, "ins", "-q", "unrelated");
    Files.createDirectory(temporary.resolve("reports"));
    List<Object> words = new ArrayList<>();
    for (String word : line.replace("'", "").split(" ")) {
      boolean isPath = List.of("data", "reports", "journal.jsonl").contains(word);
      boolean isPathHere = isPath && words.get(words.size() - 1).toString().startsWith("--");
      words.add(isPathHere ? temporary.resolve(word) : word);
    }
    words.addAll(
        words.contains("--") ? words.indexOf("--") : words.size(), List.of("--until-empty"));
    Cli.run(words.subList(1, words.size()).toArray()).assertGoodWith(": working on ");
  }

  private JsonNode only(String queue) {
    List<JsonNode> tasks = Cli.on(data, "ts", "-q", queue).assertGood().lines();
    assertThat(tasks).hasSize(1);
    return tasks.get(0).get("value");
  }

  @Test
  void shouldMap() {
    insert("{\"val\":{\"a\":[1,2]}}");
    assertWorked("map", "--template", "{\"b\":\"$/a/1\"}", "-o", "out");
    assertThat(only("out").toString()).isEqualTo("{\"err\":\"\",\"val\":{\"b\":2}}");
  }

  @Test
  void shouldSendRequests() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
    server.start();
    try {
      String host = "127.0.0.1:" + server.getAddress().getPort();
      insert("{\"url\":\"http://%s/\"}".formatted(host));
      assertWorked("http", "--allow-host", host);
      assertThat(only("in/error").get("error").textValue()).contains("which is not public");
      insert("{\"url\":\"http://%s/\",\"outbox\":\"mine\"}".formatted(host));
      assertWorked("http", "--allow-host", host, "--allow-net", "127.0.0.0/8", "--task-boxes");
      assertThat(only("mine").get("status_code").intValue()).isEqualTo(204);
    } finally {
      server.stop(0);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldRunAProgram() {
    insert("\"three words here\"");
    assertWorked("proc", "--env", "A=b", "--dir", temporary, "-o", "out", "--", "wc", "-w");
    assertThat(only("out").get("stdout").textValue().strip()).isEqualTo("3");
    assertThat(only("out").get("dir").textValue()).isEqualTo(temporary.toString());
    assertThat(only("out").get("env").toString()).isEqualTo("[\"A=b\"]");
  }

  @Test
  void shouldWriteFiles() throws Exception {
    Path files = Files.createDirectory(temporary.resolve("files"));
    insert("{\"path\":\"a/b.json\"}");
    assertWorked("file", "--dir", files, "--name", "/path");
    assertThat(files.resolve("a/b.json")).hasContent("{\"path\":\"a/b.json\"}");
    insert("{\"path\":\"../b.json\"}");
    work("file", "--dir", files, "--name", "/path");
    assertThat(only("in/err").get("path").textValue()).isEqualTo("../b.json");
    assertThat(temporary.resolve("b.json")).doesNotExist();
  }

  @Test
  void shouldAppend() throws Exception {
    Path file = temporary.resolve("journal");
    insert("1", "2");
    assertWorked("append", "--file", file, "--concurrency", "2");
    assertThat(Files.readAllLines(file)).hasSize(2).allMatch(line -> line.startsWith("{\"id\":"));
  }

  @Test
  void shouldMakeBatches() {
    insert("1", "2", "3");
    assertWorked("batch", "-o", "out", "--grace", "10ms");
    assertThat(only("out")).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "map;Missing required option: '--template=JSON'",
        "map --template {;the template is not JSON",
        "map --template 1 --retries -1;retries must be from 0 to 1,000, is -1",
        "map --template 1 --concurrency 0;concurrency must be from 1 to 100000, is 0",
        "map --template 1 --retry-delay 0;initial must be positive",
        "map --template 1 --claimant me;--claimant does not apply to workers",
        "http;Missing required option: '--allow-host=HOST'",
        "http --allow-host a/b;'a/b' is not a host",
        "http --allow-host a --allow-net b;'b' is not a range of addresses",
        "http --allow-host a --timeout 0;timeout must be from 1 ms",
        "http --allow-host a --max-body -1;body bytes must be from 0",
        "proc;Missing required parameter: 'COMMAND'",
        "proc --dir nowhere -- true;--dir: nowhere is not a directory",
        "proc --env NOT_SET_ANYWHERE -- true;--env: NOT_SET_ANYWHERE is not set",
        "proc --env =x -- true;'' is not a possible variable",
        "proc --timeout 2d -- true;timeout must be from 1 ms",
        "proc --max-output 1000000 -- true;output bytes must be from 0",
        "proc wc -w;Unknown option -w",
        "file;Missing required option: '--dir=DIR'",
        "file --dir nowhere;--dir: nowhere is not a directory",
        "file --dir . --name x;'x' is not a JSON Pointer",
        "file --dir . --prefix a/b;prefix must have only letters",
        "file --dir . --prefix a --name /b;--prefix and --name cannot be combined",
        "append;Missing required option: '--file=FILE'",
        "append --file x --max-file 1;file bytes must be from 4,096",
        "batch;Missing required option: '--outbox=QUEUE'",
        "batch -o out --size 1001;maxSize must be from 1 to 1,000",
        "batch -o out --wait 30;maxWait must be at most half of the lease",
        "batch -o out --max-bytes 0;maxBytes must be from 1",
        "gateway --max-attempts -1;maxAttempts must be from 0",
        "gateway --max-claims -1;maxClaims must be from 0",
        "gateway --retry-delay 0;retryDelay must be from 1 ms",
        "gateway --entroq-timeout 0;unavailableMax must be from 1 ms",
        "gateway --take-doc;did you mean --take-docs?",
        "gateway --addr x;--addr must be [HOST:]PORT, such as 8137, is 'x'",
        "gateway --addr 70000;--addr must be [HOST:]PORT",
        "gateway --addr ::1:80;--addr must be [HOST:]PORT",
        "gateway --addr 0.0.0.0:0;--addr 0.0.0.0:0 is not of this machine alone: give --token-file",
        "gateway --addr 0 --connections 0;--connections must be from 1 to 1,000, is 0",
        "gateway --addr 0 --max-message 1;--max-message must be from 1,024",
        "gateway --addr 0 --allow-origin a.example;--allow-origin must be as browsers send it",
        "gateway --connections 5;Missing required argument",
      })
  void shouldReportAWrongCommandLine(String words, String why) {
    if (words.matches("batch.*|.*(concurrency|retry-delay).*")) {
      // These are found when the worker is started.
      insert("1");
    }
    work((Object[]) words.split(" "))
        .assertMisused("entroq work " + words.split(" ")[0] + ": ", why);
  }

  @Test
  void shouldListenUntilThereIsNothingToDo() throws Exception {
    Cli.on(data, "ins", "-q", "unrelated");
    Path token = Files.writeString(temporary.resolve("token"), "0123456789abcdef\n");
    Cli listened = work("gateway", "--addr", "0.0.0.0:0", "--token-file", token);
    assertThat(listened.status()).isZero();
    assertThat(listened.err().lines())
        .hasSize(2)
        .first()
        .asString()
        .matches("entroq work gateway: programs connect to ws://0\\.0\\.0\\.0:\\d+/work");
  }

  @Test
  void shouldReportWhatCannotBeOpened() throws IOException {
    insert("1");
    work("append", "--file", temporary.resolve("no/journal")).assertFailed("no/journal");
    work("gateway", "--addr", "0", "--token-file", temporary.resolve("token"))
        .assertFailed("--token-file: cannot read ");
    Path shortToken = Files.writeString(temporary.resolve("short"), "secret\n");
    work("gateway", "--addr", "0", "--token-file", shortToken)
        .assertFailed("one token of at least 16 characters");
    Cli.run("work", "batch", "-q", "in", "-o", "out", "--data", temporary.resolve("none"))
        .assertFailed("entroq work batch: ", "none");
  }

  @Test
  void shouldNeedACommandAQueueAndATarget() {
    Cli.run("work").assertMisused("entroq work: Missing command");
    Cli.run("work", "maps").assertMisused("Unknown command maps; did you mean map?");
    Cli.run("work", "batch", "-o", "out", "--data", data)
        .assertMisused("Missing required option: '--queue=QUEUE'");
    Cli.run("work", "batch", "-q", "in", "-o", "out")
        .assertMisused("'--data=DIR' or '--svcaddr=HOST:PORT'");
  }
}
