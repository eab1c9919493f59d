package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
