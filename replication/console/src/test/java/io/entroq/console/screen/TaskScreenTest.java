package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.service.call.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskScreenTest {
  private static final String NASTY = "<script>alert(1)</script>\"&%/'";

  private final ServedScreens screens = new ServedScreens();

  @AfterEach
  void close() {
    screens.close();
  }

  private Task insert(Insert insert) {
    return screens.queue.modify(Modification.insert(insert)).orThrow().inserted().get(0);
  }

  private Task claim(String queue, String worker) {
    return screens
        .queue
        .tryClaim(Claim.from(queue).withClaimant(worker).withLease(Duration.ofMinutes(5)))
        .orElseThrow();
  }

  private String page(Task task) {
    return screens.page("/task", "id", task.id().text());
  }

  @Test
  void shouldShowAllOfATask() {
    screens
        .queue
        .policies()
        .put(
            QueuePolicy.of("inbox")
                .retry(QueuePolicy.Retry.exponential(Duration.ofMinutes(1), Duration.ofHours(1))));
    Task task =
        insert(
            Insert.into("inbox").withValue(Value.bytes("hello".getBytes(StandardCharsets.UTF_8))));
    Task claimed = claim("inbox", "worker 7");
    assertThat(page(task))
        .contains("Claimed by worker 7; its lease ends in 5 min")
        .contains("Only worker 7 may change it until 2026-01-01 00:05:00.000 UTC")
        .contains(">Take back</a>", "/do/take-back?id=" + task.id().text() + "&amp;version=1")
        .contains("2026-01-01 00:00:00.000 UTC")
        .contains("text, 5 bytes", ">hello</pre>")
        .doesNotContain("Retry now");
    screens.queue.advance(Duration.ofSeconds(20));
    screens.queue.modify(
        Modification.fail(claimed, "no such file\nat line 5").withClaimant("worker 7"));
    assertThat(page(task))
        .contains("Resting after a failure; available in ")
        .contains("no such file\nat line 5</pre>")
        .contains("Retry now", "Delay", "Move", "Edit its value", "Delete")
        .doesNotContain("Take back");
    screens.queue.advance(Duration.ofMinutes(2));
    assertThat(page(task)).contains("Available for 1 min");
  }

  @Test
  void shouldShowAttemptsAndHistoryWithWhoDidIt() {
    screens.queue.policies().put(QueuePolicy.of("inbox").attempts(1));
    Task task = insert(Insert.into("inbox"));
    Task claimed = claim("inbox", "worker 7");
    screens.queue.advance(Duration.ofSeconds(20));
    screens.queue.modify(Modification.fail(claimed, "no such file").withClaimant("worker 7"));
    String page = page(task);
    assertThat(page)
        .contains("Dead: failed too often", "Came from queue")
        .contains("Inserted into inbox", "Claimed by worker 7 for 5 min")
        .contains("Moved to inbox/err: failed too often");
    String attempts = page.substring(page.indexOf("<h2>Attempts"), page.indexOf("<h2>History"));
    assertThat(attempts).contains("worker 7", "20 s", "no such file").contains("Failed");
    String history = page.substring(page.indexOf("<h2>History"));
    assertThat(history).contains("Who did it", ">worker 7<", "Newest first");
    assertThat(history.indexOf("Moved to inbox/err")).isLessThan(history.indexOf("Inserted into"));
  }

  @Test
  void shouldNotEndAnAttemptWhileItsWorkerGoesOn() {
    Task task = insert(Insert.into("inbox"));
    Task claimed = claim("inbox", "worker 7");
    screens.queue.advance(Duration.ofSeconds(20));
    Task renewed =
        screens
            .queue
            .modify(Modification.renew(claimed, Duration.ofMinutes(10)).withClaimant("worker 7"))
            .orThrow()
            .changed()
            .get(0);
    Task changed =
        screens
            .queue
            .modify(
                Modification.change(
                        Change.of(renewed).withValue("half").availableIn(Duration.ofMinutes(10)))
                    .withClaimant("worker 7"))
            .orThrow()
            .changed()
            .get(0);
    assertThat(page(task)).contains("Lease renewed for 10 min", "Not ended");
    screens.queue.advance(Duration.ofSeconds(20));
    screens.queue.modify(Modification.delete(changed).withClaimant("worker 7")).orThrow();
    assertThat(page(task)).contains("<td>40 s</td>").doesNotContain("Not ended");
  }

  @Test
  void shouldKeepTheNewestOfALongHistory() {
    Task task = insert(Insert.into("inbox"));
    for (int i = 0; i < 260; i++) {
      Task claimed = claim("inbox", "worker 7");
      screens.queue.modify(Modification.release(claimed).withClaimant("worker 7")).orThrow();
    }
    claim("inbox", "worker 8");
    // A busy machine may need longer for it than a page waits.
    assertThat(screens.page("/task", "id", task.id().text(), "all", "yes"))
        .contains("Only the newest 500.", "Claimed by worker 8")
        .doesNotContain("Inserted into inbox");
  }

  @Test
  void shouldShowTheHistoryOfATaskThatIsGone() {
    Task task = insert(Insert.into("inbox"));
    Task claimed = claim("inbox", "worker 7");
    screens.queue.modify(Modification.delete(claimed).withClaimant("worker 7")).orThrow();
    assertThat(page(task))
        .contains("There is no such task now", "Done: deleted by its worker", "Find a task");
    assertThat(screens.page("/task", "id", "unknown"))
        .contains("There is no such task now", "Nothing happened to it");
    assertThat(screens.page("/task")).contains("Find a task", "name=\"id\"");
  }

  @Test
  void shouldOfferToReadAHistoryForWhichAPageHasNoTime() {
    Task task = insert(Insert.into("inbox"));
    assertThat(page(task)).contains("Newest first, down to its insert.");
    screens.service.stall(Method.TAIL);
    assertThat(page(task))
        .contains("Not all of it could be read in time.")
        .contains("href=\"/console/task?id=" + task.id().text() + "&amp;all=yes\"");
    assertThat(screens.page("/task", "id", "unknown")).contains("Not all of it could be read");
  }

  @Test
  void shouldShowValuesOfEachKind() {
    Task json =
        insert(Insert.into("q").withValue(Value.json("{\"a\":[1,true,\"x\"],\"b\":{\"c\":2}}")));
    assertThat(page(json)).contains("JSON, ", "2 members", "3 items", "\"x\"", "<details open>");
    assertThat(page(insert(Insert.into("q").withValue(Value.bytes(new byte[] {0, 1, (byte) 255})))))
        .contains("bytes, 3 bytes", "000000  00 01 ff");
    assertThat(page(insert(Insert.into("q")))).contains("no value");
  }

  @Test
  void shouldEscapeWhateverPeopleHaveWritten() {
    screens.queue.policies().put(QueuePolicy.of(NASTY).attempts(1).deadQueue(NASTY + "/dead"));
    Task task =
        insert(
            Insert.into(NASTY)
                .withId(NASTY)
                .withValue(Value.json("{\"<script>alert(1)</script>\":\"<script>\"}")));
    Task claimed = claim(NASTY, NASTY);
    screens.queue.modify(Modification.fail(claimed, NASTY).withClaimant(NASTY));
    String page = page(task);
    assertThat(page).doesNotContain("<script>alert", "alert(1)</script>", "\"&%");
    assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;");
    assertThat(page).contains("name=%3Cscript%3Ealert%281%29%3C%2Fscript%3E%22%26%25%2F%27%2Fdead");
    for (String action : new String[] {"retry", "delay", "move", "edit", "delete", "take-back"}) {
      String asking =
          screens.page("/do/" + action, "id", NASTY, "version", Integer.toString(task.version()));
      assertThat(asking).doesNotContain("<script>alert", "\"&%");
    }
    String queue = screens.page("/queue", "name", NASTY + "/dead");
    assertThat(queue).contains("&lt;script&gt;").doesNotContain("<script>alert", "\"&%");
    String after = screens.after(screens.act("retry", Map.of("id", NASTY, "version", "2")));
    assertThat(after).contains("The task is available now.").doesNotContain("<script>alert");
  }
}
