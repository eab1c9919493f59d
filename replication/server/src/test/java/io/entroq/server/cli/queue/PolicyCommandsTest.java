package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyCommandsTest {
  @TempDir Path temporary;

  private Path data;

  @BeforeEach
  void fill() {
    data = temporary.resolve("data");
    run("ins", "-q", "stripe", "-v", "1");
    run("ins", "-q", "stripe", "-v", "2");
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data, command, args);
  }

  private Cli apply(String text, Object... more) throws IOException {
    Path file = Files.writeString(temporary.resolve("policies.yaml"), text);
    Object[] args = new Object[more.length + 2];
    args[0] = "apply";
    args[1] = file;
    System.arraycopy(more, 0, args, 2, more.length);
    return run("policy", args);
  }

  @Test
  void shouldSetRulesAndKeepTheOthers() {
    assertThat(run("policy", "set", "-q", "stripe", "--rate", "100/s", "--burst", "10").out())
        .isEqualTo("queue stripe: new: rate 100/1s, burst 10\n");
    assertThat(run("policy", "set", "-q", "stripe", "--rate", "5/1m30s", "--attempts", "8").out())
        .isEqualTo("queue stripe: changed: rate 100/1s -> 5/1m30s, attempts 8\n");
    JsonNode policy = run("policy", "get", "-q", "stripe").assertGood().json();
    assertThat(policy.toString())
        .isEqualTo(
            "{\"queue\":\"stripe\",\"rate\":\"5/1m30s\",\"burst\":10,\"attempts\":8,\"version\":2,"
                + "\"state\":{\"paused\":false}}");
    assertThat(run("policy", "set", "-q", "stripe", "--unset", "attempts", "--dry-run").out())
        .isEqualTo("queue stripe: changed: attempts 8 removed\n");
    assertThat(run("policy", "set", "-q", "stripe", "--replace", "--ttl", "7d").assertGood().out())
        .isEqualTo(
            "queue stripe: changed: rate 5/1m30s removed, burst 10 removed, attempts 8"
                + " removed, ttl 168h\n");
    assertThat(run("policy", "set", "-q", "stripe", "--ttl", "168h").assertGood().out())
        .isEqualTo("queue stripe: unchanged\n");
    assertThat(run("policy", "rm", "-q", "stripe").assertGood().out())
        .isEqualTo("queue stripe: removed\n");
    run("policy", "rm", "-q", "stripe").assertFailed("no rules and no pause of queue stripe");
    run("policy", "get", "-q", "stripe").assertFailed("no rules and no pause of queue stripe");
  }

  @Test
  void shouldEnforceWhatItSets() {
    run("policy", "set", "-q", "stripe", "--in-flight", "1").assertGood();
    run("claim", "-q", "stripe", "--try", "-d", "1h").assertGood();
    assertThat(run("claim", "-q", "stripe", "--try").status()).isEqualTo(3);
    run("policy", "set", "-q", "stripe", "--in-flight", "0").assertGood();
    run("claim", "-q", "stripe", "--try").assertGood();
  }

  @Test
  void shouldSetEveryRule() {
    run(
            "policy",
            "set",
            "-p",
            "in/",
            "--rate",
            "1/1ms",
            "--burst",
            "2",
            "--in-flight",
            "1",
            "--limiter",
            "a",
            "--limiter",
            "b,c",
            "--retry-base",
            "1s",
            "--retry-max",
            "1h",
            "--retry-factor",
            "1.5",
            "--retry-jitter",
            "0",
            "--attempts",
            "3",
            "--lapses",
            "4",
            "--dead-queue",
            "dead",
            "--breaker-failures",
            "5",
            "--breaker-pause",
            "1m",
            "--ttl",
            "1d",
            "--expired-queue",
            "late",
            "--max-tasks",
            "6",
            "--max-bytes",
            "7000000000",
            "--overflow",
            "drop-oldest",
            "--order",
            "strict",
            "--remember-ids",
            "250ms")
        .assertGood();
    JsonNode policy = run("policy", "get", "-p", "in/").assertGood().json();
    assertThat(policy.toString())
        .isEqualTo(
            "{\"prefix\":\"in/\",\"rate\":\"1/1ms\",\"burst\":2,\"order\":\"strict\",\"in-flight\":1,"
                + "\"limiters\":[\"a\",\"b,c\"],\"retry-base\":\"1s\",\"retry-max\":\"1h\","
                + "\"retry-factor\":1.5,\"retry-jitter\":0,\"attempts\":3,\"lapses\":4,"
                + "\"dead-queue\":\"dead\",\"breaker-failures\":5,\"breaker-pause\":\"1m\","
                + "\"ttl\":\"24h\",\"expired-queue\":\"late\",\"max-tasks\":6,"
                + "\"max-bytes\":7000000000,\"overflow\":\"drop-oldest\",\"remember-ids\":\"250ms\","
                + "\"version\":1,\"state\":{\"paused\":false}}");
  }

  @Test
  void shouldListLimitersApart() {
    run("limiter", "set", "-n", "api", "--rate", "10/1s").assertGood();
    run("policy", "set", "-q", "stripe", "--limiter", "api").assertGood();
    run("policy", "set", "-p", "in/", "--max-tasks", "3").assertGood();
    assertThat(run("policy", "ls").assertGood().out().lines())
        .containsExactly(
            "KIND    NAME    VERSION  IN FLIGHT  PAUSED  RULES",
            "queue   stripe  1        -          -       limiters api",
            "prefix  in/     1        -          -       max-tasks 3");
    assertThat(run("limiter", "ls").assertGood().out().lines())
        .containsExactly(
            "KIND     NAME  VERSION  IN FLIGHT  PAUSED  RULES",
            "limiter  api   1        0          -       rate 10/1s");
    assertThat(run("policy", "ls", "--starting-with", "s").out().lines()).hasSize(2);
    run("limiter", "set", "-n", "api", "--attempts", "3")
        .assertMisused("Unknown option --attempts");
    run("limiter", "set", "-n", "api", "--unset", "attempts")
        .assertMisused("unknown rule attempts");
    assertThat(run("limiter", "get", "-n", "api").assertGood().json().get("state").toString())
        .isEqualTo("{\"paused\":false,\"in-flight\":0}");
    run("limiter", "rm", "-n", "api").assertGood();
    run("limiter", "rm", "-n", "api").assertFailed("limiter api");
  }

  @Test
  void shouldPauseAndResume() {
    assertThat(run("pause", "-q", "stripe").assertGood().out())
        .isEqualTo("queue stripe: paused until resumed\n");
    assertThat(run("claim", "-q", "stripe", "--try").status()).isEqualTo(3);
    assertThat(run("policy", "ls").out()).contains("until resumed");
    assertThat(run("resume", "-q", "stripe").assertGood().out())
        .isEqualTo("queue stripe: resumed\n");
    run("resume", "-q", "stripe").assertGood();
    run("claim", "-q", "stripe", "--try").assertGood();
    assertThat(run("pause", "-p", "s", "--for", "10m").assertGood().out())
        .startsWith("prefix s: paused until 2");
    assertThat(run("policy", "get", "-p", "s").json().get("state").get("paused-until").asText())
        .startsWith("2");
    run("pause", "--limiter", "api").assertGood();
    run("pause", "-q", "stripe", "--for", "0").assertMisused("use entroq resume");
    run("pause", "-q", "stripe", "--for", "367d").assertMisused("pause must be");
    run("pause").assertMisused("-q, -p and --limiter");
    run("pause", "-q", "a", "--limiter", "b").assertMisused("Name one");
  }

  @Test
  void shouldRefuseInvalidRules() {
    String[][] wrong = {
      {"--rate", "0/1s", "would start no task at all"},
      {"--rate", "5", "must be N/TIME"},
      {"--rate", "99999999999999999999/1s", "not a whole number from 0"},
      {"--rate", "1000001/1s", "at most one start per microsecond", "limit of the rate"},
      {"--in-flight", "2147483648", "not a whole number from 0 to 2147483647"},
      {"--in-flight", "-1", "not a whole number"},
      {"--ttl", "367d", "timeToLive must be"},
      {"--ttl", "1us", "whole number of milliseconds"},
      {"--burst", "2", "burst needs a rate"},
      {"--retry-base", "1s", "belong together"},
      {"--retry-jitter", "1", "needs retry-base and retry-max"},
      {"--order", "oldst", "did you mean oldest?"},
      {"--dead-queue", "q", "another name than the policy's own"},
      {"--dead-queue", "x".repeat(1025), "1024"},
      {"--unset", "rte", "did you mean rate?"},
      {"--pool", "round", "expected least-in-flight, round-robin, strict-rank"},
      {"--pool-depth", "2", "pool-depth needs pool"},
      {"--weight", "1025", "weight must be from 1 to 1024"},
      {"--group", "a/b", "a group must be a name without a slash"},
    };
    for (String[] each : wrong) {
      run("policy", "set", "-q", "q", each[0], each[1]).assertMisused(each[each.length - 1]);
    }
    run("policy", "set", "-q", "x".repeat(1025), "--ttl", "1s").assertMisused("1024");
    run("policy", "set", "-p", "é".repeat(513), "--ttl", "1s").assertMisused("1024");
    run("policy", "set", "-q", "q").assertMisused("Missing rules");
    run("policy", "set", "--ttl", "1s").assertMisused("Name one queue");
    Cli.run("policy").assertMisused("Missing command");
    run("policy", "ls").assertGood();
  }

  @Test
  void shouldShowPoolsAndTopicsAsTheyWereSet() throws IOException {
    run(
            "policy",
            "set",
            "-q",
            "inbox",
            "--pool=round-robin",
            "--pool-depth=2",
            "--pool-in-flight=9",
            "--pool-rate=5/1s",
            "--pool-burst=2",
            "--weight=3",
            "--rank=4")
        .assertGood();
    assertThat(run("policy", "get", "-q", "inbox").assertGood().out())
        .contains(
            "\"pool\":\"round-robin\",\"pool-depth\":2,\"pool-in-flight\":9,\"pool-rate\":\"5/1s\","
                + "\"pool-burst\":2,\"weight\":3,\"rank\":4");
    run("policy", "set", "-q", "orders", "--group", "billing", "--group", "mail").assertGood();
    assertThat(run("policy", "get", "-q", "orders").assertGood().out())
        .contains("\"groups\":[\"billing\",\"mail\"]");
    apply("policies: [{queue: orders, groups: [mail]}, {queue: inbox, pool: strict-rank}]")
        .assertGood();
    assertThat(run("policy", "get", "-q", "inbox").assertGood().out())
        .contains("\"pool\":\"strict-rank\"")
        .doesNotContain("weight");
  }

  private Cli group(String verb, String topic, Object... names) {
    List<Object> words = new ArrayList<>(List.of(verb, "-q", topic));
    words.addAll(List.of(names));
    return run("group", words.toArray());
  }

  @Test
  void shouldAddListAndRemoveGroups() {
    run("policy", "set", "-q", "orders", "--ttl", "1h").assertGood();
    assertThat(group("add", "orders", "billing", "mail", "--dry-run").out())
        .isEqualTo("queue orders: changed: groups billing+mail\n");
    assertThat(group("ls", "orders").assertGood().out().lines()).hasSize(1);
    assertThat(group("add", "orders", "billing", "mail").assertGood().out())
        .isEqualTo("queue orders: changed: groups billing+mail\n");
    assertThat(group("add", "orders", "mail").assertGood().out())
        .isEqualTo("queue orders: unchanged\n");
    assertThat(run("ins", "-q", "orders", "-v", "1").assertGood().json()).hasSize(2);
    group("add", "orders", "audit").assertGood();
    assertThat(group("ls", "orders").assertGood().out().lines())
        .startsWith("GROUP    QUEUE           TASKS", "billing  orders/billing  1")
        .hasSize(4)
        .endsWith("audit    orders/audit    0");
    assertThat(group("rm", "orders", "mail", "billing").assertGood().out())
        .isEqualTo("queue orders: changed: groups billing+mail+audit -> audit\n");
    group("rm", "orders", "audt").assertFailed("no group audt; did you mean audit?");
    assertThat(group("rm", "orders", "audit").assertGood().out())
        .isEqualTo(
            "queue orders: changed: groups audit removed\n"
                + "queue orders has no group now: an insert makes one task in it, as in any queue\n");
    group("rm", "orders", "audit").assertFailed("queue orders has no group audit, it is no topic");
    assertThat(run("policy", "get", "-q", "orders").json().get("ttl").asText()).isEqualTo("1h");
  }

  @Test
  void shouldRefuseGroupsThatCannotBe() {
    run("policy", "set", "-q", "pool", "--pool=round-robin").assertGood();
    group("add", "pool", "a").assertFailed("queue pool is a pool, which cannot be a topic");
    group("add", "t", "a/b").assertMisused("a group must be a name without a slash");
    group("add", "t", "a", "err").assertMisused("not err, is 'err'");
    group("add", "t").assertMisused("NAME");
    run("group", "add", "a").assertMisused("--queue");
    Object[] hundred = IntStream.range(0, 100).mapToObj(i -> "g" + i).toArray();
    group("add", "t", hundred).assertGood();
    group("add", "t", "one-more").assertMisused("number of groups must be from 0 to 100, is 101");
    assertThat(group("ls", "t").assertGood().out().lines()).hasSize(101);
    Cli.run("group").assertMisused("Missing command");
  }

  @Test
  void shouldRefuseACircleOfDeadQueues() throws IOException {
    run("policy", "set", "-q", "a", "--attempts", "1", "--dead-queue", "b").assertGood();
    run("policy", "set", "-q", "b", "--attempts", "1", "--dead-queue", "a").assertMisused("circle");
    apply("policies: [{queue: b, attempts: 1, dead-queue: a}]").assertFailed("circle");
  }

  @Test
  void shouldApplyAFileInOneStep() throws IOException {
    run("policy", "set", "-q", "stripe", "--rate", "1/1s", "--ttl", "1h").assertGood();
    String file =
        """
        policies:
          - queue: stripe
            rate: 100/1s
            limiters: [stripe-api]
          - prefix: inbox/
            attempts: 8
          - limiter: stripe-api
            in-flight: 20
        """;
    String lines =
        """
        queue stripe: changed: rate 1/1s -> 100/1s, limiters stripe-api, ttl 1h removed
        prefix inbox/: new: attempts 8
        limiter stripe-api: new: in-flight 20
        """;
    assertThat(apply(file, "--dry-run").assertGoodWith("nothing was written").out())
        .isEqualTo(lines);
    assertThat(run("policy", "ls").out().lines()).hasSize(2);
    assertThat(apply(file).assertGood().out()).isEqualTo(lines);
    assertThat(apply(file).assertGood().out().lines())
        .hasSize(3)
        .allMatch(l -> l.endsWith(": unchanged"));
    assertThat(run("policy", "get", "-q", "stripe").json().get("version").asInt()).isEqualTo(2);
  }

  @Test
  void shouldApplyWhatItLists() throws IOException {
    run("policy", "set", "-q", "stripe", "--rate", "1/1s", "--limiter", "x").assertGood();
    run("pause", "-p", "p").assertGood();
    String listed = run("policy", "ls", "-j").assertGood().out();
    run("policy", "rm", "-q", "stripe").assertGood();
    apply(listed).assertFailed("queue stripe has version 0, the file expects 1");
    apply(listed.replace("\"version\":1", "\"version\":0"), "--dry-run")
        .assertFailed("prefix p has version 1, the file expects 0");
    apply(
            "{\n\t\"policies\": [{\"queue\": \"stripe\", \"rate\": \"1/1s\", \"limiters\": [\"x\"]}]}")
        .assertGood();
    assertThat(run("policy", "ls", "-j", "--starting-with", "stripe").json().toString())
        .contains("\"rate\":\"1/1s\",\"limiters\":[\"x\"]");
  }

  @Test
  void shouldSayWhatIsWrongInAFile() throws IOException {
    apply("policies: [{queue: a, rte: 1/1s}]")
        .assertFailed("policies.yaml:1: queue a: unknown rule rte; did you mean rate?");
    apply("policies: [{queue: a, inFlight: 1}]").assertFailed("did you mean in-flight?");
    apply("policies: [{limiter: a, attempts: 1}]").assertFailed("expected rate, burst, in-flight");
    apply("polices: []").assertFailed("unknown key polices; did you mean policies?");
    apply("policies: {}").assertFailed("must be a list");
    apply("").assertFailed("expected 'policies:'");
    apply("[]").assertFailed("expected 'policies:'");
    apply("policies: [{rate: 1/1s}]").assertFailed("must name a queue, prefix or limiter");
    apply("policies: [{queue: a, prefix: b}]").assertFailed("name only one");
    apply("policies: [{queue: a}, {queue: a}]").assertFailed("queue a is in the file twice");
    apply("policies: [{queue: a, rate: 1/1s, rate: 2/1s}]").assertFailed("Duplicate", "rate");
    apply("policies: [{queue: a, rate: [1/1s]}]").assertFailed("rate: expected a single value");
    apply("policies: [{queue: a, rate: 0/1s}]").assertFailed("queue a: rate '0/1s'");
    apply("policies: [{queue: a, max-tasks: 99999999999999999999}]").assertFailed("max-tasks");
    apply("policies: [{queue: " + "x".repeat(1025) + "}]")
        .assertFailed("policies.yaml:1: queue must", "1024");
    apply("policies: [{queue: a, version: x}]").assertFailed("version 'x'");
    apply("policies: [").assertFailed("policies.yaml:1: not valid");
    run("policy", "apply", temporary.resolve("none")).assertFailed("none: no such file");
    assertThat(run("policy", "ls").out().lines()).hasSize(1);
  }
}
