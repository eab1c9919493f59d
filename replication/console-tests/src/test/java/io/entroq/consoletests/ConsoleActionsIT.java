package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Each action, from the page where it begins to its effect in the queue. */
class ConsoleActionsIT {
  private static final String ANN = "{\"to\":\"ann\"}";

  private static Browser browser;
  private static ServedQueue queue;

  @BeforeAll
  static void start() throws Exception {
    queue = ServedQueue.start();
    browser = Browser.start();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
    if (queue != null) {
      queue.close();
    }
  }

  private static void openQueue(String name) {
    browser.open(queue.url("/queue?name=" + name));
  }

  /** Opens the page of the only task of a queue. */
  private static void openTask(String name) {
    browser.open(queue.url("/task?id=" + queue.id(name)));
  }

  @Test
  void shouldInsertATask() {
    openQueue("insert");
    browser.follow("Insert a task");
    browser.fill("value", ANN);
    browser.press("Insert a task", "The task is inserted.");
    assertThat(queue.tasks("insert")).extracting("value").containsExactly(Map.of("to", "ann"));
  }

  @Test
  void shouldDelayATaskAndRetryItNow() {
    queue.insert("delay", ANN);
    openTask("delay");
    browser.follow("Delay");
    browser.fill("seconds", "3600");
    browser.press("Delay", "The task is kept back as long as you said.");
    assertThat(queue.canClaim("delay")).isFalse();
    browser.follow("Retry now");
    browser.press("Retry now", "The task is available now.");
    assertThat(queue.canClaim("delay")).isTrue();
  }

  @Test
  void shouldMoveATask() {
    queue.insert("move", ANN);
    openTask("move");
    browser.follow("Move");
    browser.fill("to", "elsewhere");
    browser.press("Move", "The task is in its new queue.");
    assertThat(queue.tasks("move")).isEmpty();
    assertThat(queue.tasks("elsewhere")).extracting("value").containsExactly(Map.of("to", "ann"));
  }

  @Test
  void shouldEditTheValueOfATask() {
    queue.insert("edit", ANN);
    openTask("edit");
    browser.follow("Edit its value");
    browser.fill("value", "{\"to\":\"bob\"}");
    browser.press("Edit its value", "The task has its new value.");
    assertThat(queue.tasks("edit")).extracting("value").containsExactly(Map.of("to", "bob"));
  }

  @Test
  void shouldDeleteATask() {
    queue.insert("delete", ANN);
    openTask("delete");
    browser.follow("Delete");
    browser.press("Delete", "The task is deleted.");
    assertThat(queue.tasks("delete")).isEmpty();
  }

  @Test
  void shouldTakeATaskBackFromAWorkerThatHangs() {
    queue.insert("takeback", ANN);
    assertThat(queue.canClaim("takeback")).isTrue();
    assertThat(queue.canClaim("takeback")).isFalse();
    openTask("takeback");
    browser.follow("Take back");
    browser.press("Take back", "The task is taken back.");
    assertThat(queue.canClaim("takeback")).isTrue();
  }

  @Test
  void shouldLeaveATaskAloneThatHasChangedMeanwhile() {
    queue.insert("changed", ANN);
    openTask("changed");
    browser.follow("Delete");
    assertThat(queue.canClaim("changed")).isTrue();
    browser.press("Delete", "The task has changed since you looked at it, so nothing was done.");
    assertThat(queue.tasks("changed")).hasSize(1);
  }

  @Test
  void shouldPauseAndResumeAQueue() {
    queue.insert("pause", ANN);
    openQueue("pause");
    browser.follow("Pause");
    browser.press("Pause", "The queue is paused: no claim gets a task from it.");
    assertThat(queue.canClaim("pause")).isFalse();
    browser.follow("Resume");
    browser.press("Resume", "The queue is resumed.");
    assertThat(queue.canClaim("pause")).isTrue();
  }

  @Test
  void shouldClearAQueueWhoseNameWasTyped() {
    queue.insert("clear", "1", "2", "3");
    openQueue("clear");
    browser.follow("Clear it");
    browser.fill("typed", "clean");
    browser.press("Delete all tasks", "not that of the queue, so nothing was done.");
    assertThat(queue.tasks("clear")).hasSize(3);
    openQueue("clear");
    browser.follow("Clear it");
    browser.fill("typed", "clear");
    browser.press("Delete all tasks", "3 tasks are deleted. It is done.");
    assertThat(queue.tasks("clear")).isEmpty();
  }

  @Test
  void shouldRedriveTheDeadTasksThatItHasCounted() {
    queue.die("mail", "mailbox 1 is full", "mailbox 2 is full", "no route");
    browser.open(queue.url("/dead?queue=mail%2Ferr"));
    browser.follow("Redrive: move them back");
    browser.awaitWords("3 tasks would go back");
    browser.fill("err", "mailbox");
    browser.press("Count them", "2 tasks would go back");
    assertThat(queue.tasks("mail")).isEmpty();
    // Slowly, so that the page of the job is shown before its end.
    browser.fill("rate", "1");
    browser.press("Redrive them", "2 tasks moved back. It is done.");
    assertThat(browser.run("return document.getElementsByTagName('main').length")).isEqualTo(1L);
    assertThat(queue.tasks("mail")).hasSize(2);
    assertThat(queue.tasks("mail/err")).extracting("err").containsExactly("no route");
  }

  @Test
  void shouldDeleteTheDeadTasksThatItHasCounted() {
    queue.die("post", "mailbox 1 is full", "mailbox 2 is full", "no route");
    browser.open(queue.url("/dead?queue=post%2Ferr"));
    browser.follow("Delete them");
    browser.awaitWords("3 tasks would be deleted");
    browser.fill("err", "mailbox");
    browser.press("Count them", "2 tasks would be deleted");
    assertThat(queue.tasks("post/err")).hasSize(3);
    browser.press("Delete them", "2 tasks are deleted. It is done.");
    assertThat(queue.tasks("post/err")).extracting("err").containsExactly("no route");
  }

  /** Everybody can use the page that is shown. */
  private static void assertNoBarriers() {
    assertThat(browser.barriers()).as(browser.driver().getCurrentUrl()).isEmpty();
  }

  /** Follows a link, or presses a button, by the keyboard alone. */
  private static void enter(String text) {
    browser.tabTo(text);
    browser.press(Keys.ENTER);
  }

  @Test
  void shouldRedriveAndDeleteTheTasksOfAGroupByTheKeyboard() {
    queue.die("bills", "bill 1 is unpaid", "bill 22 is unpaid", "bill 3 is unpaid again", "lost");
    browser.open(queue.url("/dead?queue=bills%2Ferr"));
    browser.awaitWords("bill # is unpaid again");
    assertNoBarriers();
    // The largest group is the first.
    enter("Redrive these");
    browser.awaitWords("2 tasks would go back");
    assertThat(browser.text()).contains("Only errors of exactly this shape");
    assertNoBarriers();
    enter("Redrive them");
    browser.awaitWords("2 tasks moved back. It is done.");
    assertThat(queue.tasks("bills")).hasSize(2);
    assertThat(queue.tasks("bills/err"))
        .extracting("err")
        .containsExactlyInAnyOrder("bill 3 is unpaid again", "lost");

    queue.die("bills", "lost");
    browser.open(queue.url("/dead?queue=bills%2Ferr"));
    enter("Delete these");
    browser.awaitWords("2 tasks would be deleted");
    assertNoBarriers();
    enter("Delete them");
    browser.awaitWords("2 tasks are deleted. It is done.");
    assertThat(queue.tasks("bills/err"))
        .extracting("err")
        .containsExactly("bill 3 is unpaid again");
  }

  @Test
  void shouldListARunningJobAndStopItByTheKeyboard() {
    queue.die("slow", "a", "a", "a", "a", "a", "a", "a", "a");
    browser.open(queue.url("/do/redrive?from=slow%2Ferr"));
    browser.awaitWords("8 tasks would go back");
    browser.fill("rate", "1");
    browser.press("Redrive them", "Stop it");
    browser.open(queue.url(""));
    browser.awaitWords("Jobs that run");
    browser.open(queue.url("/jobs"));
    browser.awaitWords("Redrive tasks of slow/err");
    assertNoBarriers();
    enter("Stop it");
    browser.awaitWords("What it has done stays done.");
    assertNoBarriers();
    enter("Stop");
    browser.awaitWords("It was stopped.", "It is done.");
    browser.follow("All jobs");
    browser.awaitWords("It was stopped.", "It is done.");
    assertNoBarriers();
  }

  @Test
  void shouldFoldAPoolOpenByTheKeyboard() {
    queue.put("queue", "shop", "{\"fair\":\"FAIR_LEAST_IN_FLIGHT\"}");
    for (int i = 0; i < 25; i++) {
      queue.insert("shop/customer-%02d".formatted(i), "1", "2");
    }
    browser.open(queue.url("/queues?q=shop"));
    browser.awaitWords("Show 25 queues");
    assertThat(browser.text()).contains("50").doesNotContain("customer");
    assertNoBarriers();
    enter("Show 25 queues");
    browser.awaitWords("customer-19");
    assertThat(browser.text()).contains("Hide 25 queues").doesNotContain("customer-20");
    assertNoBarriers();
    // It stays open when the page loads itself again.
    browser.awaitUpdate();
    browser.awaitWords("customer-19");
    enter("All 25 of shop");
    browser.awaitWords("customer-24");
    assertNoBarriers();
    enter("The pool and its rules");
    browser.awaitWords("Queue shop");
    browser.open(queue.url("/queues?q=shop&open=shop"));
    enter("Hide 25 queues");
    browser.awaitWords("Show 25 queues");
    assertThat(browser.text()).doesNotContain("customer");
  }

  @Test
  void shouldPauseAndResumeAPool() {
    queue.put("queue", "lines", "{\"fair\":\"FAIR_ROUND_ROBIN\"}");
    queue.insert("lines/a", "1");
    openQueue("lines");
    browser.follow("Pause");
    browser.awaitWords("from the pool or from a member of it");
    assertNoBarriers();
    browser.press("Pause", "The queue is paused: no claim gets a task from it.");
    assertThat(queue.canClaim("lines/a")).isFalse();
    openQueue("lines%2Fa");
    browser.awaitWords("The queue belongs to the pool lines, which is paused.");
    browser.follow("See the pool");
    browser.follow("Resume");
    browser.press("Resume", "The queue is resumed.");
    assertThat(queue.canClaim("lines/a")).isTrue();
  }

  @Test
  void shouldWriteALimiterByTheKeyboardPauseItAndRemoveIt() {
    queue.put("queue", "cards", "{\"limiters\":[\"bank\"]}");
    queue.insert("cards", "1", "2", "3");
    browser.open(queue.url("/policies"));
    assertNoBarriers();
    browser.driver().findElement(By.id("field-target")).sendKeys("limiter");
    browser.fill("name", "bank");
    enter("Enter rules");
    browser.awaitWords("Edit the limiter bank");
    assertNoBarriers();
    browser.fill("in_flight_max", "1");
    enter("Show what changes");
    browser.awaitWords("Tasks in flight at most absent 1");
    assertThat(browser.text()).contains("shared by the queues of these policies: queue cards.");
    assertNoBarriers();
    enter("Write the limiter");
    browser.awaitWords("The limiter is written.");
    assertNoBarriers();
    assertThat(queue.canClaim("cards")).isTrue();
    assertThat(queue.canClaim("cards")).isFalse();

    browser.follow("Edit it");
    browser.fill("in_flight_max", "5");
    browser.press("Show what changes", "Tasks in flight at most 1 5");
    browser.press("Write the limiter", "The limiter is written.");
    browser.follow("Pause");
    browser.awaitWords("from a queue that shares the limiter");
    browser.press("Pause", "It is paused: no claim gets a task that it concerns.");
    assertThat(queue.canClaim("cards")).isFalse();
    browser.follow("Resume");
    browser.press("Resume", "It is resumed.");
    assertThat(queue.canClaim("cards")).isTrue();
    browser.follow("Remove it");
    browser.awaitWords("Rules that end");
    assertNoBarriers();
    browser.press("Remove the limiter", "The limiter is removed.");
    assertThat(queue.policies("bank")).isEmpty();
    assertThat(queue.canClaim("cards")).isTrue();
  }

  @Test
  void shouldPauseAPrefixFromTheListOfPolicies() {
    queue.put("prefix", "news/", "{\"attemptsMax\":3}");
    queue.insert("news/a", "1");
    browser.open(queue.url("/queues"));
    browser.follow("Policies and limiters");
    browser.follow("news/");
    browser.awaitWords("Failures until a task dies");
    assertNoBarriers();
    browser.follow("Pause");
    browser.awaitWords("whose name begins with this");
    browser.press("Pause", "It is paused: no claim gets a task that it concerns.");
    assertThat(queue.canClaim("news/a")).isFalse();
    openQueue("news%2Fa");
    browser.awaitWords("All queues whose names begin with news/ are paused.");
    browser.follow("See the prefix");
    browser.follow("Resume");
    browser.press("Resume", "It is resumed.");
    assertThat(queue.canClaim("news/a")).isTrue();
    browser.follow("Remove it");
    browser.press("Remove the policy", "The policy is removed.");
    assertThat(queue.policies("news/")).isEmpty();
  }

  @Test
  void shouldWriteAPolicyAfterAPreviewAndRemoveIt() {
    openQueue("rules");
    browser.follow("Edit its policy");
    browser.fill("in_flight_max", "1");
    browser.press("Show what changes", "Tasks in flight at most absent 1");
    assertThat(queue.policies("rules")).isEmpty();
    browser.press("Write the policy", "The policy is written.");
    queue.insert("rules", "1", "2");
    assertThat(queue.canClaim("rules")).isTrue();
    assertThat(queue.canClaim("rules")).isFalse();
    browser.follow("Remove the policy");
    browser.press("Remove the policy", "The policy is removed.");
    assertThat(queue.policies("rules")).isEmpty();
    assertThat(queue.canClaim("rules")).isTrue();
  }

  /** The newcomer's way; each Enter is a click. */
  @Test
  void shouldLeadToAFailingTaskAndItsRetryByThreeKeysEnter() {
    while (!queue.hasSeenFailures()) {
      queue.die("watched", "not seen yet");
    }
    queue.die("orders", "card 17 is declined");
    String id = queue.id("orders/err");
    browser.open(queue.url(""));
    browser.awaitWords(id);
    browser.tabTo(id);
    browser.awaitUpdate();
    assertThat(browser.focused()).isEqualTo(id);

    browser.press(Keys.ENTER);
    browser.awaitWords("Moved to orders/err: failed too often");
    assertThat(browser.text())
        .contains("card 17 is declined", "to", "ann", "Attempts", "History", "Claimed by worker 7");
    browser.tabTo("Retry now");
    browser.press(Keys.ENTER);
    browser.awaitWords("Moves the task back to orders");
    browser.tabTo("Retry now");
    browser.press(Keys.ENTER);
    browser.awaitWords("The task is available now.");
    assertThat(queue.tasks("orders")).extracting("id").containsExactly(id);
  }
}
