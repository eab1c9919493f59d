package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.FailuresResponse;
import io.entroq.codec.wire.edge.HeldTask;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.QueueRates;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.codec.wire.edge.TaskFailure;
import io.entroq.codec.wire.edge.Waiter;
import io.entroq.codec.wire.edge.WaitersResponse;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.service.call.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The screens that show what an insight knows, with one that says what the test does. */
class InsightScreensTest {
  private static final String NASTY = "<script>alert(1)</script>\"&%/'";
  private static final Pattern LINK = Pattern.compile("href=\"(/console[^\"]*)\"");

  private final ServedScreens screens = new ServedScreens();
  private final long nowMs = screens.queue.now().toEpochMilli();

  @AfterEach
  void close() {
    screens.close();
  }

  @Test
  void shouldCountProblemsInWhatAPageLoadsAgain() {
    screens.insight.answer(
        Method.OVERVIEW,
        OverviewResponse.newBuilder().addProblems(Problem.newBuilder().setText("slow")).build());
    String fragment = screens.fragment("/console/queues").body();
    assertThat(fragment).doesNotContain("<!doctype html>").contains("1 problem</a>");
  }

  private Task die(String queue) {
    screens.queue.policies().put(QueuePolicy.of(queue).attempts(1));
    screens.queue.modify(Modification.insert(queue, "\"x\"")).orThrow();
    Task claimed = screens.queue.tryClaim(Claim.from(queue).withClaimant(NASTY)).orElseThrow();
    screens.queue.modify(Modification.fail(claimed, NASTY).withClaimant(NASTY)).orThrow();
    return claimed;
  }

  /** Says of everything that there is something nasty. */
  private void script(Task task) {
    String id = task.id().text();
    QueueFigures figures =
        QueueFigures.newBuilder()
            .setName(NASTY)
            .setTasks(10)
            .setReady(1_234)
            .setInFlight(5)
            .setOldestAgeMs(61_000)
            .setPausedUntilMs(Long.MAX_VALUE)
            .setDeadQueue(true)
            .setLastMinute(EventCounts.newBuilder().setInserted(7).setFailed(3))
            .build();
    screens.insight.answer(
        Method.OVERVIEW,
        OverviewResponse.newBuilder()
            .setAll(figures)
            .setQueues(3)
            .setDeadTasks(17)
            .setReadMs(nowMs - 4_000)
            .addProblems(
                Problem.newBuilder()
                    .setAlert("EntroqOldestTaskWaits")
                    .setSeverity("page")
                    .setQueue(NASTY)
                    .setText("the oldest task of " + NASTY + " waits"))
            .addProblems(Problem.newBuilder().setSeverity("ticket").setText("the disk is low"))
            .build());
    screens.insight.answer(
        Method.FAILURES,
        FailuresResponse.newBuilder()
            .addFailures(
                TaskFailure.newBuilder()
                    .setTaskId(id)
                    .setQueue(NASTY)
                    .setErr(NASTY)
                    .setAttempt(2)
                    .setClaimant(NASTY)
                    .setDeadQueue(NASTY)
                    .setTimeMs(nowMs - 1_000))
            .build());
    screens.insight.answer(
        Method.RATES,
        RatesResponse.newBuilder()
            .addRates(
                QueueRates.newBuilder()
                    .setQueue(NASTY)
                    .setKept(true)
                    .addAllInserted(List.of(0, 10))
                    .addAllClaimed(List.of(0, 10))
                    .addAllDone(List.of(5, 20))
                    .addAllFailed(List.of(0, 1))
                    .addAllLapsed(List.of(0, 0))
                    .addAllDead(List.of(0, 0)))
            .build());
    screens.insight.answer(
        Method.SEARCH_QUEUES,
        SearchQueuesResponse.newBuilder()
            .addQueues(figures)
            .setMatched(130)
            .setComplete(true)
            .build());
    screens.insight.answer(
        Method.WORKERS,
        WorkersResponse.newBuilder()
            .addWorkers(
                Worker.newBuilder()
                    .setClaimant(NASTY)
                    .setSeenMs(nowMs - 2_000)
                    .setClaimed(77)
                    .setHeld(2)
                    .addTasks(HeldTask.newBuilder().setTaskId(id).setQueue(NASTY)))
            .setMatched(1)
            .setSinceMs(nowMs - 60_000)
            .build());
    screens.insight.answer(
        Method.WAITERS,
        WaitersResponse.newBuilder()
            .addWaiters(
                Waiter.newBuilder()
                    .setClaimant(NASTY)
                    .addAllQueues(List.of(NASTY, "b", "c", "d"))
                    .setQueueCount(9)
                    .setSinceMs(nowMs - 3_000))
            .setMatched(40)
            .build());
    screens.insight.answer(
        Method.DEAD_LETTERS,
        DeadLettersResponse.newBuilder()
            .addQueues(DeadQueue.newBuilder().setName("q/err").setTasks(5_000).setLookedAt(4_096))
            .addGroups(
                DeadGroup.newBuilder()
                    .setQueue("q/err")
                    .setOrigin("q")
                    .setReason(DeadReason.DEAD_FAILED)
                    .setShape("no such file # of " + NASTY)
                    .setTasks(4_000)
                    .setNewestMs(nowMs)
                    .setExampleId(id))
            .build());
  }

  @Test
  void shouldShowAllThatIsWrongFirst() {
    script(die("q"));
    String page = screens.page("");
    assertThat(page)
        .contains("Urgent", "EntroqOldestTaskWaits", "the disk is low")
        .contains("This is a queue in memory.", "1,234", ">17<", "1 min 1 s")
        .contains("<dt>Inserted in the last minute</dt><dd>7</dd>", "were read 4 s ago")
        .contains("<polyline class=\"line2\" points=\"0.0,90.0 600.0,0.0\"")
        .contains("2 tasks a second", ">2 problems</a>");
    assertThat(page.indexOf("Problems")).isLessThan(page.indexOf("All queues"));
  }

  @Test
  void shouldFindAFailingTaskItsErrorItsHistoryAndItsRetryInThreeClicks() {
    Task task = die("q");
    script(task);
    String overview = screens.page("");
    String first = link(overview, "/console/task?");
    String page = screens.page("/task", "id", task.id().text());
    assertThat(first).isEqualTo("/console/task?id=" + task.id().text());
    assertThat(page).contains("<h2>Error</h2>", "<h2>History</h2>", "<h2>Attempts</h2>");
    String second = link(page, "/console/do/retry");
    assertThat(ServedScreens.unescaped(screens.get(second).body()))
        .contains("<button type=\"submit\">Retry now</button>");
  }

  /** The first link to a page. */
  private static String link(String page, String begin) {
    Matcher links = LINK.matcher(page);
    while (links.find()) {
      String url = ServedScreens.unescaped(links.group(1));
      if (url.startsWith(begin)) {
        return url;
      }
    }
    throw new AssertionError("no link to " + begin);
  }

  @Test
  void shouldLeadNowhereThatIsNotThere() {
    script(die("q"));
    Deque<String> open = new ArrayDeque<>(List.of("/console"));
    Set<String> seen = new HashSet<>(open);
    while (!open.isEmpty()) {
      String url = open.pop();
      String page = screens.getInTime(url).body();
      assertThat(page).as(url).doesNotContain("This did not work", "<script>alert", "\"&%");
      assertThat(page).as(url).contains("<h1>");
      Matcher links = LINK.matcher(page);
      while (links.find()) {
        String next = ServedScreens.unescaped(links.group(1)).replaceAll("#.*", "");
        if (!next.contains("/assets/") && seen.add(next) && seen.size() < 300) {
          open.add(next);
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(25);
    assertThat(screens.service.unbounded()).isEmpty();
  }

  @Test
  void shouldSearchAndSortQueues() {
    script(die("q"));
    String page = screens.page("/queues", "q", "in", "sort", "ready", "order", "down", "page", "1");
    assertThat(screens.insight.asked(Method.SEARCH_QUEUES))
        .isEqualTo(
            SearchQueuesRequest.newBuilder()
                .setPrefix("in")
                .setSort("ready")
                .setDescending(true)
                .setOffset(50)
                .setLimit(50)
                .setFold(true)
                .build());
    assertThat(page)
        .contains("aria-sort=\"descending\"", "51 to 51 of 130", "Previous", "Next")
        .contains("paused, dead tasks", "1,234", "1 min 1 s")
        .contains("aria-label=\"done a minute, in the last hour: at most 20, last 20\"")
        .contains("href=\"/console/queues?q=in&amp;sort=ready\"");
    assertThat(screens.insight.asked(Method.RATES).getQueueList()).containsExactly(NASTY);
    assertThat(screens.get("/console/queues?page=-1").statusCode()).isEqualTo(400);
  }

  @Test
  void shouldShowDeadTasksByWhatTheyHaveInCommon() {
    script(die("q"));
    assertThat(screens.page("/dead"))
        .contains("4,096 were looked at", "no such file # of", "failed too often", "4,000")
        .contains(
            "Redrive these",
            "href=\"/console/do/redrive?from=q%2Ferr&amp;shape=no+such+file+%23+of",
            "Delete these",
            "href=\"/console/do/discard?from=q%2Ferr&amp;shape=no+such+file+%23+of",
            "&amp;origin=q&amp;reason=failed\"");
    assertThat(screens.page("/dead", "queue", "q/err"))
        .contains("Redrive: move them back", "Delete them");
    assertThat(screens.insight.asked(Method.DEAD_LETTERS).getQueue()).isEqualTo("q/err");
  }

  @Test
  void shouldShowWorkersAndWhatTheyHold() {
    script(die("q"));
    assertThat(screens.page("/workers", "q", "w"))
        .contains("2 s ago", ">77<", "Some of the tasks that it holds")
        .contains("Counted since 2025-12-31 23:59:00.000 UTC, 1 min ago");
    assertThat(screens.insight.asked(Method.WORKERS).getPrefix()).isEqualTo("w");
  }

  @Test
  void shouldShowWhoWaits() {
    script(die("q"));
    assertThat(screens.page("/workers"))
        .contains("Claims that wait: 40, the first of them", "3 s ago", ", b, c<small>and 6 more");
    assertThat(screens.page("/queue", "name", "q")).contains("Claims that wait: 40");
    assertThat(screens.insight.asked(Method.WAITERS).getQueue()).isEqualTo("q");
  }

  @Test
  void shouldSayWhatToDoWhereThereIsNothing() {
    assertThat(screens.page(""))
        .contains("Nothing is wrong.", "No work has failed", "There is no chart");
    assertThat(screens.page("/queues")).contains("There are no queues yet. A queue exists as soon");
    assertThat(screens.page("/queues", "q", "x")).contains("No queue name begins with this.");
    assertThat(screens.page("/dead")).contains("There are no dead tasks.");
    assertThat(screens.page("/workers"))
        .contains("Nobody has claimed a task", "Nobody waits for a task.");
    assertThat(screens.page("/queue", "name", "q"))
        .contains("There are no tasks in it now.", "Insert a task", "No policy applies");
  }
}
