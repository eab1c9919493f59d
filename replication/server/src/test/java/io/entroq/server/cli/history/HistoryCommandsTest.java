package io.entroq.server.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that read the past of a directory. */
class HistoryCommandsTest {
  @TempDir private Path data;

  private String first;
  private String second;

  /**
   * One task is claimed, moved and deleted; another one stays; and there are a doc and a policy.
   */
  @BeforeEach
  void fill() {
    first = insert("inbox");
    done("claim", "-q", "inbox");
    second = insert("inbox");
    done("mod", "-t", first, "-Q", "inbox/err");
    done("rm", "-t", first, "-f");
    done("doc-put", "-n", "notes", "-k", "a b", "-v", "1");
    done("policy", "set", "-q", "stripe", "--in-flight", "1");
    done("pause", "-q", "inbox");
  }

  private String insert(String queue) {
    return run("ins", "-q", queue, "-v", "1", "--claimant", "me").json().get(0).get("id").asText();
  }

  private void done(String command, Object... args) {
    List<Object> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--claimant", "me"));
    assertThat(run(command, all.toArray()).status()).isZero();
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data, command, args);
  }

  /** Without what differs from run to run. */
  private List<String> plain(Cli output) {
    return output
        .assertGood()
        .out()
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll("TIME \\d+-", "TIME SEQ-")
        .replace(first, "FIRST")
        .replace(second, "SECOND")
        .lines()
        .map(line -> line.replaceAll("(id|by)=[0-9a-f-]{16,36}", "$1=ID"))
        .toList();
  }

  @Test
  void shouldPrintEffectsAsText() {
    assertThat(plain(run("tail")))
        .containsExactly(
            "TIME SEQ-0 inserted queue=inbox id=FIRST version=0 at=TIME by=me",
            "TIME SEQ-0 claimed queue=inbox id=FIRST version=1 at=TIME claimant=me claims=1 by=me",
            "TIME SEQ-0 inserted queue=inbox id=SECOND version=0 at=TIME by=me",
            "TIME SEQ-0 moved queue=inbox/err formerQueue=inbox id=FIRST version=2 at=TIME claims=1"
                + " wasInFlight=true by=me",
            "TIME SEQ-0 deleted queue=inbox/err id=FIRST version=2 at=TIME claims=1 by=ID",
            "TIME SEQ-0 doc-inserted namespace=notes key=\"a b\" id=ID version=0 by=me",
            "TIME SEQ-1 set-written namespace=notes key=\"a b\" version=0 by=me",
            "TIME SEQ-0 policy-written policy=queue name=stripe version=1 by=me",
            "TIME SEQ-0 policy-written policy=queue name=inbox version=1 pausedUntil=resumed by=me");
  }

  @Test
  void shouldPrintEffectsAsJson() {
    List<JsonNode> effects = run("tail", "--json").assertGood().lines();
    String time = effects.get(0).get("time").asText();
    assertThat(effects.get(0).toString())
        .isEqualTo(
            ("{\"time\":\"%s\",\"position\":\"2-0\",\"kind\":\"inserted\",\"queue\":\"inbox\",\"id\":\"%s\","
                    + "\"version\":0,\"at\":\"%s\",\"by\":\"me\"}")
                .formatted(time, first, time));
    assertThat(effects).extracting(each -> each.get("kind").asText()).startsWith("inserted");
  }

  @Test
  void shouldSelectByQueueAndKind() {
    assertThat(plain(run("tail", "-q", "inbox/*")))
        .extracting(line -> line.split(" ")[2])
        .containsExactly("moved", "deleted");
    assertThat(kinds("-q", "inbox")).containsExactly("inserted", "claimed", "inserted", "moved");
    assertThat(kinds("-q", "inbox*", "--kind", "deleted", "--kind", "inserted"))
        .containsExactly("inserted", "inserted", "deleted");
    assertThat(kinds("-q", "none")).isEmpty();
  }

  private List<String> kinds(Object... args) {
    return effects(args).map(each -> each.get("kind").asText()).toList();
  }

  private Stream<JsonNode> effects(Object... args) {
    List<Object> all = new ArrayList<>(List.of(args));
    all.add("--json");
    return run("tail", all.toArray()).assertGood().lines().stream();
  }

  private static String sequence(JsonNode effect) {
    return effect.get("position").asText().split("-")[0];
  }

  @Test
  void shouldBeginAfterAPositionAndEndWithOne() {
    List<JsonNode> all = effects().toList();
    JsonNode third = all.get(2);
    String position = third.get("position").asText();
    assertThat(effects("--from", position)).isEqualTo(all.subList(3, all.size()));
    assertThat(effects("--from", sequence(third))).isEqualTo(all.subList(3, all.size()));
    assertThat(effects("--until", position)).isEqualTo(all.subList(0, 3));
    assertThat(effects("--from", "0", "--until", sequence(third))).isEqualTo(all.subList(0, 3));
    assertThat(effects("--until", third.get("time").asText())).isEqualTo(all.subList(0, 3));
    assertThat(effects("--from", third.get("time").asText())).isEqualTo(all.subList(2, all.size()));
  }

  @Test
  void shouldPrintWhatHappenedToATask() {
    assertThat(plain(run("history", "-t", first)))
        .extracting(line -> line.split(" ")[2])
        .containsExactly("inserted", "claimed", "moved", "deleted");
    assertThat(run("history", "-t", second, "--json").assertGood().lines()).hasSize(1);
    run("history", "-t", "nobody")
        .assertGoodWith("entroq history: nothing is known of a task nobody");
  }

  @Test
  void shouldPrintWhatChangedBetweenTwoPoints() {
    List<JsonNode> all = effects().toList();
    String start = sequence(all.get(0));
    assertThat(plain(run("diff", start, sequence(all.get(4)))))
        .extracting(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "CHANGE TASK FROM QUEUE QUEUE VERSION CLAIMED FAILED LAPSED",
            "gone FIRST inbox inbox/err 2 1 0 0",
            "created SECOND - inbox 0 0 0 0");
    JsonNode moved =
        run("diff", start, sequence(all.get(3)), "-q", "inbox/*", "-j").assertGood().lastLine();
    assertThat(moved.get("id").asText()).isEqualTo(first);
    assertThat(moved.get("change").asText()).isEqualTo("moved");
    assertThat(moved.get("formerQueue").asText()).isEqualTo("inbox");
    assertThat(moved.get("queue").asText()).isEqualTo("inbox/err");
    assertThat(plain(run("diff", start, start))).hasSize(1);
  }

  @Test
  void shouldRunACommandAsOfThen() throws IOException {
    List<JsonNode> all = effects().toList();
    assertThat(at(sequence(all.get(0)), "qs").json().get("inbox").get("size").asInt()).isEqualTo(1);
    JsonNode claimed = at(sequence(all.get(2)), "qs").json().get("inbox");
    assertThat(claimed.get("size").asInt()).isEqualTo(2);
    assertThat(claimed.get("claimed").asInt()).isEqualTo(1);
    assertThat(at(sequence(all.get(3)), "ts", "-q", "inbox/err").lines()).hasSize(1);
    assertThat(at(all.get(0).get("time").asText(), "time").out())
        .isEqualTo(all.get(0).get("time").asText() + "\n");
    assertThat(at(sequence(all.get(2)), "policy", "ls").out()).doesNotContain("stripe");
    assertThat(run("at", "--at", sequence(all.get(0)), "qs").assertGood().json()).hasSize(1);
    try (EntroQ running = EmbeddedEntroQ.open(data)) {
      assertThat(at(sequence(all.get(4)), "qs").json()).hasSize(1);
      assertThat(running.queues(QueueQuery.all())).containsOnlyKeys("inbox");
    }
    assertThat(Files.exists(data.resolve("at"))).isFalse();
  }

  private Cli at(String point, Object... command) {
    List<Object> all = new ArrayList<>(List.of("at", "--time", point, "--data", data));
    all.addAll(List.of(command));
    return Cli.run(all.toArray()).assertGood();
  }

  @Test
  void shouldSayInOneLineWhatIsWrong() {
    run("tail", "--from", "999").assertFailed("There is no record 999 in ", "ends with record ");
    run("tail", "--from", "999-1").assertFailed("ends with record ");
    run("tail", "--until", "999").assertFailed("There is no record 999 in ");
    run("tail", "--from", "x").assertMisused("neither the sequence of a record nor a time");
    run("tail", "--from", "-1").assertMisused("--from");
    run("tail", "--from", "2999-01-01").assertMisused("2999-01-01T00:00:00Z is in the future");
    run("tail", "--from", "5", "--until", "4").assertMisused("--until is before --from");
    run("tail", "--kind", "nonsense").assertMisused("unknown kind; expected one of inserted, ");
    Cli.run("tail", "--data", data.resolve("none")).assertFailed("There is no log in ");
    Cli.run("tail").assertMisused("--data");
    run("history").assertMisused("--task");
    run("diff", "3").assertMisused("B");
    run("diff", "4", "3").assertMisused("3 is before 4");
    run("at", "--at", "999", "qs").assertFailed("entroq qs: There is no record 999 in ");
    run("at", "--at", "0", "qs").assertFailed("has no record up to 0.");
    run("at", "--time", "2001-01-01", "qs")
        .assertFailed("has no record up to 2001-01-01T00:00:00Z.");
    run("at", "--at", "3", "ins", "-q", "inbox").assertMisused("the past cannot be changed");
    run("at", "--at", "3", "claim", "-q", "inbox").assertMisused("the past cannot be changed");
    run("at", "--at", "3", "serve").assertMisused("serve is not a command that reads tasks");
    run("at", "--at", "3").assertMisused("COMMAND");
    run("at", "qs").assertMisused("--time");
    run("at", "--at", "3", "qs", "-s", "localhost:1").assertMisused("cannot be combined");
  }
}
