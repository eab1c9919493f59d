package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.redrive.ErrorShape;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.service.call.Method;
import io.entroq.service.testing.Await;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionTest {
  private final ServedScreens screens = new ServedScreens();

  @AfterEach
  void close() {
    screens.close();
  }

  private Task insert(Insert insert) {
    return screens.queue.modify(Modification.insert(insert)).orThrow().inserted().get(0);
  }

  private Task read(Task task) {
    return screens.queue.tasks(TaskQuery.withIds(task.id())).get(0);
  }

  private static Map<String, String> of(Task task) {
    return Map.of("id", task.id().text(), "version", Integer.toString(task.version()));
  }

  /** A task with everything that a change must keep. */
  private Task failed() {
    insert(Insert.into("q").withValue(Value.json("{\"a\":1}")));
    Task claimed = screens.queue.tryClaim(Claim.from("q")).orElseThrow();
    screens.queue.modify(Modification.fail(claimed, "broken", Duration.ofHours(1)));
    Task task = read(claimed);
    assertThat(task.attempt()).isEqualTo(1);
    assertThat(task.isAvailableAt(screens.queue.now())).isFalse();
    return task;
  }

  @Test
  void shouldRetryATask() {
    Task task = failed();
    String page = screens.after(screens.act("retry", of(task)));
    assertThat(page).contains("The task is available now.", "Made available at once");
    assertThat(page).contains("local#console");
    Task now = read(task);
    assertThat(now.isAvailableAt(screens.queue.now())).isTrue();
    assertThat(now.version()).isEqualTo(task.version() + 1);
    assertThat(now.attempt()).isEqualTo(1);
    assertThat(now.err()).isEqualTo("broken");
    assertThat(now.value()).isEqualTo(task.value());
  }

  @Test
  void shouldRetryADeadTaskWhereItCameFrom() {
    die("q", "broken", 1);
    Task dead = screens.queue.tasks(TaskQuery.in("q/err")).get(0);
    assertThat(screens.page("/do/retry", "id", dead.id().text()))
        .contains("Moves the task back to q, available at once, with failures, claims and error");
    screens.after(screens.act("retry", of(dead)));
    Task back = read(dead);
    assertThat(back.queue()).isEqualTo("q");
    assertThat(back.isAvailableAt(screens.queue.now())).isTrue();
    assertThat(back.attempt() + back.claims()).isZero();
    assertThat(back.err()).isEmpty();
    Task moved = insert(Insert.into("x/err").withValue("kept"));
    screens.after(screens.act("retry", of(moved)));
    assertThat(read(moved).queue()).isEqualTo("x");
    assertThat(read(moved).text()).isEqualTo(moved.text());
  }

  @Test
  void shouldDelayATaskAndRetryItAgain() {
    Task task = insert(Insert.into("q"));
    String page = screens.after(screens.act("delay", of(task), "seconds", "3600"));
    assertThat(page).contains("kept back as long as you said", "available in 1 h");
    Task delayed = read(task);
    assertThat(delayed.arrivalTime()).isEqualTo(screens.queue.now().plus(Duration.ofHours(1)));
    screens.after(screens.act("retry", of(delayed)));
    assertThat(read(task).isAvailableAt(screens.queue.now())).isTrue();
    assertThat(screens.act("delay", of(read(task)), "seconds", "-1").body())
        .contains("expected a number from 1");
  }

  @Test
  void shouldMoveATask() {
    Task task = failed();
    screens.after(screens.act("move", of(task), "to", "other"));
    Task moved = read(task);
    assertThat(moved.queue()).isEqualTo("other");
    assertThat(moved.value()).isEqualTo(task.value());
    assertThat(moved.arrivalTime()).isEqualTo(task.arrivalTime());
    assertThat(moved.attempt()).isEqualTo(1);
    assertThat(moved.err()).isEqualTo("broken");
    assertThat(screens.act("move", of(moved), "to", "").statusCode()).isEqualTo(400);
  }

  @Test
  void shouldEditAValue() {
    Task task = failed();
    screens.after(screens.act("edit", of(task), "kind", "JSON", "value", "{\"b\": [2]}"));
    Task edited = read(task);
    assertThat(edited.value()).isEqualTo(Value.json("{\"b\":[2]}"));
    assertThat(edited.attempt()).isEqualTo(1);
    screens.after(screens.act("edit", of(edited), "kind", "text", "value", "two\r\nlines"));
    assertThat(read(task).text()).isEqualTo("two\nlines");
    screens.after(
        screens.act("edit", of(read(task)), "kind", "hexadecimal bytes", "value", "00 ff"));
    assertThat(read(task).value()).isEqualTo(Value.bytes(new byte[] {0, (byte) 255}));
    HttpResponse<String> refused =
        screens.act("edit", of(read(task)), "kind", "JSON", "value", "{");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("The value is not JSON");
  }

  @Test
  void shouldDeleteATask() {
    Task task = failed();
    String page = screens.after(screens.act("delete", of(task)));
    assertThat(page).contains("The task is deleted.", "There is no such task now");
    assertThat(screens.queue.tasks(TaskQuery.withIds(task.id()))).isEmpty();
  }

  @Test
  void shouldRefuseWhatWasDecidedOnAnOlderVersion() {
    Task task = failed();
    for (String action : List.of("retry", "delay", "move", "edit", "delete", "take-back")) {
      HttpResponse<String> refused =
          screens.act(
              action,
              of(task),
              "version",
              Integer.toString(task.version() - 1),
              "to",
              "other",
              "value",
              "1");
      assertThat(refused.body()).as(action).contains("has changed since you looked at it");
      assertThat(refused.statusCode()).isEqualTo(400);
    }
    assertThat(read(task)).isEqualTo(task);
  }

  @Test
  void shouldLeaveATaskToItsHolder() {
    insert(Insert.into("q"));
    Task held = screens.queue.tryClaim(Claim.from("q").withClaimant("worker 7")).orElseThrow();
    for (String action : List.of("retry", "delay", "move", "edit", "delete")) {
      assertThat(screens.act(action, of(held), "to", "other", "value", "1").body())
          .as(action)
          .contains("Only worker 7 may change the task until");
    }
    assertThat(read(held)).isEqualTo(held);
  }

  @Test
  void shouldTakeATaskBackFromItsHolder() {
    insert(Insert.into("q").withValue("kept"));
    Task held = screens.queue.tryClaim(Claim.from("q").withClaimant("worker 7")).orElseThrow();
    assertThat(screens.page("/do/take-back", "id", held.id().text()))
        .contains("its holder can no longer write to it", "Claimed by worker 7");
    String page = screens.after(screens.act("take-back", of(held)));
    assertThat(page)
        .contains("The task is taken back.", "Taken back by local#console", "Available for")
        .doesNotContain("Only worker 7 may change it");
    Task now = read(held);
    assertThat(now.isAvailableAt(screens.queue.now())).isTrue();
    assertThat(List.of(now.version(), now.claims())).containsExactly(held.version() + 1, 1);
    assertThat(now.value()).isEqualTo(held.value());
    assertThat(screens.queue.modify(Modification.delete(held).withClaimant("worker 7")))
        .isInstanceOf(ModifyResult.DependencyFailure.class);
  }

  @Test
  void shouldInsertOnceThoughTheFormIsSentTwice() {
    String[] entered = {"kind", "JSON", "value", "{\"a\":1}", "seconds", "0", "id", "once"};
    String page = screens.after(screens.act("insert", Map.of("name", "q"), entered));
    assertThat(page).contains("The task is inserted.");
    HttpResponse<String> again = screens.act("insert", Map.of("name", "q"), entered);
    assertThat(again.body()).contains("There is already a task with this id.");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("q", 1L));
    assertThat(screens.queue.tasks(TaskQuery.in("q")).get(0).value())
        .isEqualTo(Value.json("{\"a\":1}"));
  }

  @Test
  void shouldPauseAndResumeAQueue() {
    insert(Insert.into("q"));
    Map<String, String> queue = Map.of("name", "q");
    assertThat(screens.after(screens.act("pause", queue)))
        .contains("The queue is paused: no claim", "paused until somebody resumes it", "Resume");
    assertThat(screens.queue.tryClaim(Claim.from("q"))).isEmpty();
    assertThat(screens.after(screens.act("resume", queue)))
        .contains("The queue is resumed.", ">Pause<");
    assertThat(screens.after(screens.act("pause", queue, "seconds", "60")))
        .contains("paused until 2026-01-01 00:01:00.000 UTC");
    screens.queue.advance(Duration.ofSeconds(61));
    assertThat(screens.queue.tryClaim(Claim.from("q"))).isPresent();
  }

  @Test
  void shouldClearAQueueWhoseNameIsTyped() {
    for (int i = 0; i < 450; i++) {
      insert(Insert.into("q"));
    }
    insert(Insert.into("other"));
    Task unused = screens.queue.tryClaim(Claim.from("q").withClaimant("worker 7")).orElseThrow();
    Map<String, String> queue = Map.of("name", "q");
    assertThat(screens.act("clear", queue, "typed", "Q").body())
        .contains("is not that of the queue");
    HttpResponse<String> response = screens.act("clear", queue, "typed", "q");
    String page = awaitJob(response);
    assertThat(page).contains("449 tasks are deleted; 1 stays, because others hold it.");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("q", 1L, "other", 1L));
  }

  @Test
  void shouldClearNoTaskThatCameLater() {
    insert(Insert.into("q"));
    // Without an end, as long as the queue is cleared.
    screens.service.before(
        Method.STREAM_TASKS,
        () -> {
          screens.queue.advance(Duration.ofMillis(1));
          insert(Insert.into("q"));
        });
    assertThat(awaitJob(screens.act("clear", Map.of("name", "q"), "typed", "q")))
        .contains("1 task is deleted. It is done.");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("q", 2L));
  }

  /** The page of a job once it is over. */
  private String awaitJob(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    String url = response.headers().firstValue("location").orElseThrow();
    String[] page = new String[1];
    Await.until(
        "the job is over",
        () -> {
          page[0] = screens.get(url).body();
          return page[0].contains("Done:");
        });
    return page[0];
  }

  private void die(String queue, String error, int count) {
    screens.queue.policies().put(QueuePolicy.of(queue).attempts(1));
    for (int i = 0; i < count; i++) {
      insert(Insert.into(queue));
      screens.queue.modify(
          Modification.fail(screens.queue.tryClaim(Claim.from(queue)).orElseThrow(), error));
    }
  }

  @Test
  void shouldRedriveWhatWasCounted() {
    die("q", "no such file", 3);
    die("q", "timeout", 2);
    Map<String, String> some = Map.of("from", "q/err", "err", "file");
    assertThat(screens.page("/do/redrive", "from", "q/err", "err", "file"))
        .contains("3 tasks would go back", "This was counted; nothing is done yet");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("q/err", 5L));
    assertThat(awaitJob(screens.act("redrive", some))).contains("3 tasks moved back. It is done.");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("q/err", 2L, "q", 3L));
    assertThat(screens.page("/do/redrive", "from", "q/err", "reason", "lapsed"))
        .contains("This selects no task.");
    assertThat(awaitJob(screens.act("redrive", Map.of("from", "q/err"), "to", "x")))
        .contains("2 tasks moved back");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("x", 2L, "q", 3L));
  }

  /** A page of dead letters as the service would make it of one task. */
  private void script(DeadGroup.Builder group) {
    screens.insight.answer(
        Method.DEAD_LETTERS, DeadLettersResponse.newBuilder().addGroups(group).build());
  }

  /** Follows a link of the page of dead letters, and confirms. */
  private String actOnGroup(String action) {
    Matcher link =
        Pattern.compile("href=\"/console/do/%s\\?([^\"]*)\"".formatted(action))
            .matcher(screens.page("/dead"));
    assertThat(link.find()).isTrue();
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : ServedScreens.unescaped(link.group(1)).split("&")) {
      String[] parts = pair.split("=", 2);
      parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return awaitJob(screens.act(action, parameters));
  }

  @Test
  void shouldRedriveAndDeleteExactlyTheTasksOfAGroup() {
    die("q", "order 1: \"x\" <b>\tis gone", 2);
    die("q", "order 22: \"y\" <b>\tis gone", 1);
    die("q", "order 3: \"x\" <b>\tis gone for good", 1);
    die("q", "", 1);
    // A worker moved it by itself.
    insert(Insert.into("q/err").withAttempt(1, "order 4: \"x\" <b>\tis gone"));
    String shape = ErrorShape.of("order 1: \"x\" <b>\tis gone");
    DeadGroup.Builder group =
        DeadGroup.newBuilder()
            .setQueue("q/err")
            .setOrigin("q")
            .setReason(DeadReason.DEAD_FAILED)
            .setShape(shape);
    script(group);
    assertThat(actOnGroup("redrive")).contains("3 tasks moved back. It is done.");
    assertThat(screens.queue.queues(QueueQuery.all())).isEqualTo(Map.of("q", 3L, "q/err", 3L));
    script(group.setOrigin("").setReason(DeadReason.DEAD_NONE));
    die("q", "order 5: \"x\" <b>\tis gone", 1);
    assertThat(actOnGroup("discard")).contains("1 task is deleted. It is done.");
    assertThat(screens.queue.tasks(TaskQuery.in("q/err")))
        .hasSize(3)
        .allMatch(task -> task.origin().isPresent());
    script(group.setOrigin("q").setReason(DeadReason.DEAD_FAILED).setShape(""));
    assertThat(actOnGroup("discard")).contains("1 task is deleted. It is done.");
    assertThat(screens.queue.tasks(TaskQuery.in("q/err")))
        .hasSize(2)
        .noneMatch(task -> task.err().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          blank=maybe | Choose whether it is for tasks without an error alone.
          blank=yes&shape=a | A task without an error has no shape. Leave the shape empty.
          reason=old | Choose one of the reasons.
          reason=moved+by+a+client&origin=q | Nothing says where a task came from
          shape=%s | A shape has at most 120 characters.
          """)
  void shouldRefuseAFilterThatSelectsNothing(String parameters, String why) {
    for (String action : List.of("redrive", "discard")) {
      HttpResponse<String> response =
          screens.get(
              "/console/do/%s?from=q%%2Ferr&%s"
                  .formatted(action, parameters.replace("%s", "x".repeat(121))));
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(ServedScreens.unescaped(response.body())).contains(why);
    }
  }

  @Test
  void shouldListJobsWithTheirProgressAndStopThem() throws Exception {
    assertThat(screens.page("/jobs")).contains("Running", "Ended", "None.");
    for (int i = 0; i < 450; i++) {
      insert(Insert.into("q"));
    }
    CountDownLatch mayGoOn = new CountDownLatch(1);
    screens.service.before(
        Method.STREAM_TASKS,
        () -> {
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    HttpResponse<String> begun = screens.act("clear", Map.of("name", "q"), "typed", "q");
    try {
      assertThat(screens.after(begun)).contains("href=\"/console/jobs\"", "Stop it");
      assertThat(screens.page("")).contains("Jobs that run", "href=\"/console/jobs\">1</a>");
      String page = screens.page("/jobs");
      assertThat(page)
          .contains(
              "Clear queue q</a>", "It has begun.", "local#console", "hx-get=\"/console/jobs\"");
      Matcher stop = Pattern.compile("/console/do/stop\\?id=([^\"]*)").matcher(page);
      assertThat(stop.find()).isTrue();
      screens.after(screens.act("stop", Map.of("id", stop.group(1))));
      assertThat(screens.page("/jobs")).contains("stopping").doesNotContain("/console/do/stop");
    } finally {
      mayGoOn.countDown();
    }
    assertThat(awaitJob(begun)).contains("0 tasks are deleted. It was stopped.");
    assertThat(screens.page("/jobs")).contains("It was stopped.");
    assertThat(screens.get("/console/job?id=none").statusCode()).isEqualTo(404);
    assertThat(screens.get("/console/do/stop?id=none").statusCode()).isEqualTo(400);
  }

  @Test
  void shouldDeleteDeadTasksThatWereCounted() {
    die("q", "no such file", 3);
    die("q", "timeout", 2);
    Map<String, String> some =
        Map.of("from", "q/err", "err", "timeout", "origin", "q", "reason", "failed");
    assertThat(awaitJob(screens.act("discard", some))).contains("2 tasks are deleted.");
    assertThat(screens.queue.tasks(TaskQuery.in("q/err")))
        .hasSize(3)
        .allMatch(task -> task.err().equals("no such file"));
  }

  @Test
  void shouldDeleteNoTaskThatHasNotDied() {
    insert(Insert.into("inbox"));
    assertThat(screens.page("/do/discard", "from", "inbox")).contains("This selects no task.");
    insert(Insert.into("q/err"));
    assertThat(awaitJob(screens.act("discard", Map.of("from", "q/err"), "from", "inbox")))
        .contains("0 tasks are deleted.");
    assertThat(screens.queue.queues(QueueQuery.all())).containsEntry("inbox", 1L);
    // A queue of dead tasks may have others.
    screens.queue.policies().put(QueuePolicy.of("live").attempts(1).deadQueue("inbox"));
    insert(Insert.into("live"));
    screens.queue.modify(
        Modification.fail(screens.queue.tryClaim(Claim.from("live")).orElseThrow(), "broken"));
    assertThat(awaitJob(screens.act("discard", Map.of("from", "inbox"))))
        .contains("1 task is deleted.");
    assertThat(screens.queue.tasks(TaskQuery.in("inbox")))
        .hasSize(1)
        .allMatch(task -> task.err().isEmpty());
  }

  @Test
  void shouldWriteAPolicyAfterAPreview() {
    Map<String, String> queue = Map.of("name", "q");
    assertThat(screens.page("/do/policy", "name", "q"))
        .contains("Failures until a task dies", "Rest after the first failure");
    Map<String, String> entered =
        Map.of(
            "name", "q", "version", "-1", "preview", "yes", "attempts_max", "5", "order", "oldest");
    HttpResponse<String> written = screens.act("policy", entered);
    assertThat(screens.after(written))
        .contains("The policy is written.", "Failures until a task dies");
    QueuePolicy policy =
        (QueuePolicy)
            screens.queue.policies().list(Policies.Query.all()).get(0).rules().orElseThrow();
    assertThat(policy).isEqualTo(QueuePolicy.of("q").attempts(5).order(QueuePolicy.Order.OLDEST));
    String preview =
        screens.page(
            "/do/policy", "name", "q", "version", "1", "preview", "yes", "attempts_max", "7");
    assertThat(preview).contains("What changes", ">5<", ">7<", "absent");
    Map<String, String> seven =
        Map.of("name", "q", "version", "1", "preview", "yes", "attempts_max", "7");
    assertThat(screens.act("policy", seven, "version", "-1").body())
        .contains("Something has changed since you looked at it, so nothing was done.");
    assertThat(screens.page("/do/policy", "name", "q", "version", "9", "preview", "yes"))
        .contains("The policy has changed since you began");
    assertThat(
            screens.page(
                "/do/policy", "name", "q", "version", "1", "preview", "yes", "rate_limit", "5"))
        .contains("These rules are not valid");
    assertThat(screens.after(screens.act("drop-policy", queue))).contains("The policy is removed.");
    List<Policies.Entry> left = screens.queue.policies().list(Policies.Query.all());
    assertThat(left).isEmpty();
  }

  @Test
  void shouldSayThatThereIsNoSnapshotHere() {
    HttpResponse<String> response = screens.act("snapshot", Map.of());
    assertThat(response.statusCode()).isGreaterThanOrEqualTo(400);
    assertThat(response.body()).contains("Nothing was done");
  }
}
