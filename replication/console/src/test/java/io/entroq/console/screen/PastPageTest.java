package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.QueueRates;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of the past, with a server that shows what the test says. */
class PastPageTest {
  private static final Pattern LINK = Pattern.compile("href=\"(/console[^\"]*)\"");
  private static final Pattern FORM = Pattern.compile("(?s)<form.*?</form>");
  private static final Set<Method<?, ?>> OF_FEED = Set.of(Method.RANGE, Method.TAIL);

  private final ServedScreens screens = new ServedScreens();
  private final long nowMs = screens.queue.now().toEpochMilli();

  /** The time of then: half an hour ago. */
  private final long thenMs = nowMs - 1_800_000;

  private Task task;

  @BeforeEach
  void fill() {
    screens.queue.policies().put(QueuePolicy.of("q").attempts(1));
    task = screens.queue.modify(Modification.insert("q", "\"x\"")).orThrow().inserted().get(0);
    screens.past.show(731, thenMs);
    screens.past.keep(
        FeedRange.newBuilder()
            .setFirstSequence(1)
            .setLastSequence(2_000)
            .setFirstTimeMs(nowMs - 3_600_000)
            .build());
    screens.insight.answer(
        Method.OVERVIEW,
        OverviewResponse.newBuilder()
            .addProblems(Problem.newBuilder().setText("slow").setQueue("q"))
            .build());
    screens.insight.answer(
        Method.SEARCH_QUEUES,
        SearchQueuesResponse.newBuilder()
            .addQueues(QueueFigures.newBuilder().setName("q").setDeadQueue(true))
            .setMatched(130)
            .build());
    screens.insight.answer(
        Method.WORKERS,
        WorkersResponse.newBuilder()
            .addWorkers(Worker.newBuilder().setClaimant("w"))
            .setMatched(300)
            .build());
    screens.insight.answer(
        Method.DEAD_LETTERS,
        DeadLettersResponse.newBuilder()
            .addGroups(DeadGroup.newBuilder().setQueue("q").setExampleId(task.id().text()))
            .build());
  }

  @AfterEach
  void close() {
    screens.close();
  }

  private Map<String, String[]> pages() {
    return Map.of(
        "",
        new String[] {},
        "/queues",
        new String[] {"q", "q", "page", "1"},
        "/queue",
        new String[] {"name", "q"},
        "/task",
        new String[] {"id", task.id().text()},
        "/dead",
        new String[] {"queue", "q"},
        "/workers",
        new String[] {"q", "w"},
        "/cluster",
        new String[] {},
        "/time",
        new String[] {});
  }

  private String then(String path, String... parameters) {
    String[] all = Arrays.copyOf(parameters, parameters.length + 2);
    all[parameters.length] = "at";
    all[parameters.length + 1] = "731";
    return screens.page(path, all);
  }

  @Test
  void shouldAskEachPageOfThenAndLeadToPagesOfThen() {
    pages()
        .forEach(
            (path, parameters) -> {
              screens.past.asked().clear();
              String page = then(path, parameters);
              assertThat(page)
                  .as(path)
                  .contains("As of 2025-12-31 23:30:00.000 UTC, after step 731.")
                  .contains(">Back to now</a>", "<input type=\"range\"");
              screens
                  .past
                  .asked()
                  .forEach(
                      (method, at) ->
                          assertThat(at)
                              .as("%s: %s", path, method)
                              // The slider ends now.
                              .satisfiesAnyOf(
                                  each -> assertThat(each).isEqualTo(Optional.of("731")),
                                  each -> assertThat(OF_FEED).contains(method),
                                  each -> assertThat(method).isEqualTo(Method.TIME)));
              assertThat(screens.past.asked()).as(path).doesNotContainKey(Method.WAITERS);
              Matcher links = LINK.matcher(page);
              while (links.find()) {
                boolean isNow = page.startsWith(">Back to now<", links.end());
                boolean isPage = !links.group(1).contains("/assets/");
                assertThat(links.group(1).endsWith("at=731"))
                    .as("%s: %s", path, links.group())
                    .isEqualTo(isPage && !isNow || links.group(1).matches(".*[?;]at=731"));
              }
              FORM.matcher(page)
                  .results()
                  .map(form -> form.group())
                  .filter(form -> !form.contains("data-slider"))
                  .forEach(
                      form ->
                          assertThat(form)
                              .contains("<input type=\"hidden\" name=\"at\" value=\"731\">"));
            });
  }

  @Test
  void shouldChangeNothingAndStay() {
    pages()
        .forEach(
            (path, parameters) -> {
              assertThat(screens.page(path, parameters)).doesNotContain("Back to now");
              assertThat(then(path, parameters))
                  .as(path)
                  .doesNotContain("/console/do/", "hx-get", "http-equiv=\"refresh\"", "\"post\"");
            });
    int before = screens.service.writes().size();
    String url = "/console/do/delete";
    Map<String, String> form = Map.of("csrf", token(), "id", task.id().text(), "version", "0");
    assertThat(screens.get(url + "?id=" + task.id().text() + "&at=731").statusCode())
        .isEqualTo(400);
    assertThat(screens.post(url + "?at=731", form).body()).contains("The past cannot be changed");
    Map<String, String> past = new HashMap<>(form);
    past.put("at", "731");
    assertThat(screens.post(url, past).statusCode()).isEqualTo(400);
    assertThat(screens.get("/console/job?id=1&at=731").statusCode()).isEqualTo(400);
    assertThat(screens.service.writes()).hasSize(before);
    assertThat(screens.post(url, form).statusCode()).as("of now").isEqualTo(303);
  }

  private String token() {
    String page =
        screens.page("/do/delete", "id", task.id().text(), "version", Integer.toString(0));
    Matcher token = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(page);
    assertThat(token.find()).isTrue();
    return token.group(1);
  }

  @Test
  void shouldShowTheHistoryOfATaskUpToThen() {
    screens.queue.advance(Duration.ofSeconds(1));
    assertThat(screens.queue.tryClaim(Claim.from("q").withClaimant("worker 7"))).isPresent();
    FeedRange kept =
        FeedRange.newBuilder()
            .setFirstSequence(screens.queue.feed().kept().firstSequence())
            .setLastSequence(screens.queue.feed().kept().lastSequence())
            .build();
    screens.past.keep(kept);
    assertThat(screens.page("/task", "id", task.id().text())).contains("<td>Claimed by worker 7");
    screens.past.show(kept.getLastSequence() - 1, nowMs);
    assertThat(then("/task", "id", task.id().text()))
        .contains("Inserted into q", "<h2>Then</h2>")
        .doesNotContain("<td>Claimed by worker 7", "<input type=\"range\"");
    assertThat(then("/task", "id", "unknown")).contains("There was no such task then.");
    assertThat(then("/queue", "name", "none")).contains("There were no tasks in it then.");
  }

  @Test
  void shouldSayWhatIsNotKnownOfThen() {
    assertThat(then("/cluster")).contains("Nothing of this page can be shown as of then");
    assertThat(then("/workers"))
        .contains("Who waited for a task then is not known", "What workers had done until then is")
        .doesNotContain("Last seen", "Counted since");
    assertThat(then(""))
        .contains("<dt>Done in the last minute</dt><dd>0</dd>", "The figures are those of then.")
        .contains("There is no chart up to then", "No failure until then is known")
        .doesNotContain("Jobs that run");
    screens.insight.answer(
        Method.OVERVIEW, OverviewResponse.newBuilder().setSinceMs(thenMs - 59_999).build());
    assertThat(then(""))
        .contains("<dt>Done in the last minute</dt><dd>not known</dd>")
        .contains("Nothing was wrong with queues. How the server was is not known.");
    screens.insight.answer(Method.SEARCH_QUEUES, SearchQueuesResponse.getDefaultInstance());
    assertThat(then("/queues")).contains("There were no queues then.");
  }

  @Test
  void shouldDrawChartsUpToThen() {
    rates(thenMs - 30_000);
    assertThat(then("/queue", "name", "q")).contains("the width is 30 s until then.");
    assertThat(then("/queues")).contains("done a minute, until then: at most 20, last 10");
    assertThat(screens.page("/queue", "name", "q")).contains("the width is the last hour.");
    // What was before is not zero, but not known.
    rates(thenMs - 10_001);
    assertThat(then("/queue", "name", "q")).contains("the width is 10 s until then.");
    assertThat(then("/queues")).contains("done a minute, until then: at most 10, last 10");
    rates(thenMs);
    assertThat(then("/queue", "name", "q")).contains("There is no chart up to then");
    assertThat(then("/queues")).doesNotContain("done a minute, until then");
    assertThat(screens.page("/queue", "name", "q")).contains("the width is the last hour.");
  }

  /** Says that something was counted in the last half minute, since a time. */
  private void rates(long sinceMs) {
    screens.insight.answer(
        Method.RATES,
        RatesResponse.newBuilder()
            .setStepS(10)
            .setFromMs(thenMs - 30_000)
            .setSinceMs(sinceMs)
            .addRates(
                QueueRates.newBuilder()
                    .setQueue("q")
                    .setKept(true)
                    .addAllInserted(List.of(0, 10, 0))
                    .addAllDone(List.of(5, 20, 10)))
            .build());
  }

  @Test
  void shouldGoToWhereTheSliderWasMoved() {
    String page = screens.page("/queue", "name", "q", "at", "2025-12-31T23:30:00Z");
    assertThat(page)
        .contains("min=\"%d\" max=\"%d\"".formatted(nowMs - 3_600_000, nowMs))
        .contains("step=\"3600\" value=\"" + thenMs + "\"")
        .contains("<input type=\"hidden\" name=\"name\" value=\"q\">");
    String moved = "/console/queue?name=q&end=%d&slide=".formatted(nowMs);
    assertThat(location(moved + thenMs + "&at="))
        .isEqualTo("/console/queue?name=q&at=2025-12-31T23%3A30%3A00Z");
    assertThat(location(moved + nowMs + "&at=+")).isEqualTo("/console/queue?name=q");
    assertThat(location(moved + thenMs + "&at=+17+")).isEqualTo("/console/queue?name=q&at=17");
    assertThat(screens.get(moved + "x").statusCode()).isEqualTo(400);
    assertThat(screens.get(moved + Long.MAX_VALUE).statusCode()).isEqualTo(400);
    assertThat(screens.page("/time")).contains("<input type=\"range\"", "value=\"" + nowMs + "\"");
  }

  private String location(String url) {
    HttpResponse<String> response = screens.get(url);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    return response.headers().firstValue("location").orElseThrow();
  }

  @Test
  void shouldHaveNoSliderWhereNoStateIsKept() {
    screens.past.keep(FeedRange.newBuilder().setFirstSequence(1).setLastSequence(9).build());
    assertThat(screens.page("/time"))
        .contains("Pages show only the present")
        .doesNotContain("type=\"range\"");
  }

  @ParameterizedTest
  @CsvSource({
    "OUT_OF_RANGE, 400, false",
    "RESOURCE_EXHAUSTED, 429, true",
    "UNAVAILABLE, 503, true",
    "FAILED_PRECONDITION, 400, false",
    "DEADLINE_EXCEEDED, 504, true",
    "PERMISSION_DENIED, 403, false",
  })
  void shouldSayWhyThereIsNoSuchMoment(Status.Code code, int status, boolean isTransient) {
    screens.past.refuse(new Refusal(code, "because"));
    HttpResponse<String> response = screens.get("/console/queue?name=q&at=2025-12-31T00:00");
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body())
        .contains("The past cannot be shown", "as of 2025-12-31T00:00 cannot be shown: because.")
        .contains("<a href=\"/console/queue?name=q\">Back to now</a>")
        .contains("Records 1 to 2,000 of the log are kept, since 2025-12-31 23:00:00.000 UTC.")
        .contains("<input type=\"range\"")
        .contains("href=\"/console/queues\"");
    assertThat(response.body().contains(">Try again</a>")).isEqualTo(isTransient);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "-1", "1234567890123456789", "%2B999999999-12-31T00:00"})
  void shouldRefuseWhatIsNoMoment(String at) {
    HttpResponse<String> response = screens.get("/console/queues?at=" + at);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .contains("at: expected the number of a record, or a time such as", "Back to now")
        .contains("Records 1 to 2,000 of the log are kept");
  }

  @Test
  void shouldNotTakeThePresentForThePast() {
    screens.past.showNow();
    for (String path : List.of("", "/queue?name=q&", "/task?id=" + task.id().text() + "&")) {
      String url = "/console" + (path.isEmpty() ? "?" : path) + "at=731";
      HttpResponse<String> response = screens.get(url);
      assertThat(response.statusCode()).as(url).isEqualTo(501);
      assertThat(response.body()).contains("this server shows only the present");
    }
  }

  @Test
  void shouldStayInThePastWhenAPageCannotBeShown() {
    HttpResponse<String> response = screens.get("/console/queue?at=731");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .contains("Name a queue.", "after step 731.", "href=\"/console/queues?at=731\"");
  }

  @Test
  void shouldTakeTimesAndOfferThemToTheCommandsAndTheDifference() {
    for (String at : List.of("2025-12-31T23:30", "2025-12-31T23:30Z", "2026-01-01T01:30+02:00")) {
      assertThat(screens.page("/queues", "at", at))
          .contains("href=\"/console/queue?name=q&amp;at=2025-12-31T23%3A30%3A00Z\"");
    }
    assertThat(screens.page("/queues", "at", "2025-12-31"))
        .contains("at=2025-12-31T00%3A00%3A00Z\"");
    assertThat(screens.page("/time", "at", "2025-12-31 23:30:00.000 UTC"))
        .contains("entroq branch --at 731 --data DIR try-out")
        .contains("name=\"from\" value=\"731\"")
        .contains("href=\"/console/queues?at=2025-12-31T23%3A30%3A00Z\"");
  }
}
