package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.service.call.Method;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueScreenTest {
  private final ServedScreens screens = new ServedScreens();

  @AfterEach
  void close() {
    screens.close();
  }

  private Task insert(Insert insert) {
    return screens.queue.modify(Modification.insert(insert)).orThrow().inserted().get(0);
  }

  @Test
  void shouldShowFiguresAndTasks() {
    Task waiting = insert(Insert.into("q"));
    insert(Insert.into("q").availableIn(Duration.ofHours(1)));
    screens.queue.advance(Duration.ofMinutes(3));
    Task claimed = screens.queue.tryClaim(Claim.from("q").withClaimant("worker 7")).orElseThrow();
    assertThat(claimed.id()).isEqualTo(waiting.id());
    Task other = insert(Insert.into("q"));
    screens.queue.advance(Duration.ofSeconds(5));
    assertThat(screens.page("/queue", "name", "q"))
        .contains("<dt>Tasks</dt><dd>3</dd>", "<dt>Available</dt><dd>1</dd>")
        .contains("<dt>Claimed by workers</dt><dd>1</dd>", "<dt>Not due yet</dt><dd>1</dd>")
        .contains("<dt>Oldest available task has waited</dt><dd>5 s</dd>")
        .contains(">claimed<", ">not due<", ">available<", "worker 7", "3 min 5 s ago")
        .contains("href=\"/console/task?id=" + other.id().text())
        .contains("hx-get=\"/console/queue?name=q\"");
  }

  @Test
  void shouldAskForAName() {
    HttpResponse<String> page = screens.get("/console/queue");
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(page.body()).contains("Name a queue.");
  }

  @Test
  void shouldShowSomeOfManyTasks() {
    for (int i = 0; i < 30; i++) {
      insert(Insert.into("q"));
    }
    String page = screens.page("/queue", "name", "q");
    assertThat(page).contains("Some of its tasks");
    assertThat(page.split("<a href=\"/console/task", -1)).hasSize(21);
  }

  @Test
  void shouldShowThePolicyThatApplies() {
    screens.queue.policies().put(QueuePolicy.prefix("in").attempts(7));
    screens.queue.policies().put(QueuePolicy.prefix("inbox").attempts(3));
    insert(Insert.into("inbox/a"));
    assertThat(screens.page("/queue", "name", "inbox/a"))
        .contains("Policy of all queues whose names begin with inbox<")
        .contains("<dt>Failures until a task dies</dt><dd>3</dd>")
        .doesNotContain("Remove the policy");
    screens.queue.policies().put(QueuePolicy.of("inbox/a").attempts(1));
    assertThat(screens.page("/queue", "name", "inbox/a"))
        .contains("Policy of the queue, version 1", "<dt>Failures until a task dies</dt><dd>1</dd>")
        .contains("Remove the policy");
  }

  @Test
  void shouldShowLimitersAndGroups() {
    screens.queue.policies().put(Limiter.of("mail").rate(1, Duration.ofMinutes(1)).inFlight(5));
    screens.queue.policies().put(QueuePolicy.of("q").limiters("mail"));
    insert(Insert.into("q"));
    Task unused = screens.queue.tryClaim(Claim.from("q")).orElseThrow();
    assertThat(screens.page("/queue", "name", "q"))
        .contains("Limiters that it shares", "1 in 1 min", "of at most 5", "in 1 min");
    screens.queue.policies().put(QueuePolicy.of("topic").groups("a", "b"));
    insert(Insert.into("topic"));
    assertThat(screens.page("/queue", "name", "topic"))
        .contains("Groups: each gets a copy", ">topic/a<", ">topic/b<");
  }

  @Test
  void shouldTellWhereATaskStands() {
    screens.queue.policies().put(QueuePolicy.of("q").order(QueuePolicy.Order.OLDEST));
    insert(Insert.into("q"));
    screens.queue.advance(Duration.ofSeconds(1));
    Task second = insert(Insert.into("q"));
    assertThat(screens.page("/task", "id", second.id().text()))
        .contains("Where does it stand in its queue?");
    assertThat(screens.page("/task", "id", second.id().text(), "place", "yes"))
        .contains("1 ready tasks start before it.");
  }

  @Test
  void shouldLeadFromADeadQueueToWhatCanBeDone() {
    insert(Insert.into("q/err"));
    assertThat(screens.page("/queue", "name", "q/err")).doesNotContain("failed for good");
    screens.insight.answer(
        Method.SEARCH_QUEUES,
        SearchQueuesResponse.newBuilder()
            .addQueues(QueueFigures.newBuilder().setName("q/err").setDeadQueue(true))
            .build());
    assertThat(screens.page("/queue", "name", "q/err"))
        .contains("failed for good", "href=\"/console/dead?queue=q%2Ferr\"");
    assertThat(screens.insight.asked(Method.SEARCH_QUEUES).getNameList()).containsExactly("q/err");
  }

  @Test
  void shouldShowWhatThereIsWhenAnAnswerDoesNotCome() {
    insert(Insert.into("q"));
    screens.service.stall(Method.LIST_POLICIES);
    HttpResponse<String> page = screens.get("/console/queue?name=q");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("The policy cannot be shown: no answer within");
    screens.service.stall(Method.TIME);
    HttpResponse<String> error = screens.get("/console/queue?name=q");
    assertThat(error.statusCode()).isEqualTo(504);
    assertThat(error.body()).contains("This did not work", "no answer within");
  }
}
