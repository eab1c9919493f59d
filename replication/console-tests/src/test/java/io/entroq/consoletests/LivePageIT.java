package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page that stays open. */
class LivePageIT {
  private Browser browser;
  private ServedQueue queue;

  @BeforeEach
  void start() throws Exception {
    browser = Browser.start();
    queue = ServedQueue.start();
    queue.insert("inbox", "1");
  }

  @AfterEach
  void close() {
    if (queue != null) {
      queue.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void shouldShowNewNumbersAndLeaveTheReaderAlone() throws Exception {
    browser.open(queue.url("/queue?name=inbox"));
    browser.awaitText("Tasks\\s+1\\b");
    browser.run("window.isSamePage = true; document.querySelector('#live a[href]').focus()");
    Object focused = browser.run("return document.activeElement.href");

    queue.insert("inbox", "2", "3");
    browser.awaitText("Tasks\\s+3\\b");

    assertThat(browser.run("return window.isSamePage")).isEqualTo(true);
    assertThat(browser.run("return document.activeElement.href")).isEqualTo(focused);
    assertThat(browser.run("return document.getElementById('problem-count').innerText"))
        .isEqualTo("No problems");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void shouldSayThatTheServerHangs() {
    browser.open(queue.url("/queue?name=inbox"));
    queue.hang();
    browser.await("document.body.classList.contains('stale')");
    queue.goOn();
    browser.await("!document.body.classList.contains('stale')");
  }

  @Test
  void shouldSayThatTheServerDoesNotAnswer() {
    browser.open(queue.url("/queue?name=inbox"));
    browser.awaitText("Tasks\\s+1\\b");
    queue.close();
    browser.await("document.body.classList.contains('stale')");
    browser.awaitText("Tasks\\s+1\\b");
  }
}
