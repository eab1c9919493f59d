package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A browser that runs no scripts. */
class WithoutScriptIT {
  private ServedQueue queue;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    queue = ServedQueue.start();
    queue.insert("inbox", "{\"to\":\"ann\",\"items\":[1,2]}");
    while (!queue.hasSeenFailures()) {
      queue.die("mail", "mailbox 1 is full");
    }
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
    queue.close();
  }

  /** What a page consists of: its texts without those that change with time, and its pictures. */
  @SuppressWarnings("unchecked")
  private static List<String> structure(Browser browser) {
    // One call, since a page without scripts loads itself again. The driver may still run some.
    return (List<String>)
        browser.run(
            """
            const parts = document.querySelectorAll(
              'h1, h2, th, label, button, summary, nav a, svg');
            return Array.from(parts, (part) => part.getAttribute('aria-label') || part.textContent);
            """);
  }

  @Test
  void shouldShowTheSamePagesAndRetryATask() {
    Map<String, List<String>> usual = new LinkedHashMap<>();
    browser = Browser.start();
    // From then on, all pages have all of their parts.
    browser.open(queue.url(""));
    browser.awaitWords("mail/err grows");
    for (String url : browser.pages(queue.url("")).values()) {
      browser.open(url);
      usual.put(url, structure(browser));
    }
    browser.close();

    browser = Browser.startWithoutScripts();
    browser.open(queue.url(""));
    assertThat(browser.run("return document.querySelectorAll('noscript > meta').length"))
        .as("what only browsers without scripts read")
        .isEqualTo(1L);
    for (Map.Entry<String, List<String>> page : usual.entrySet()) {
      browser.open(page.getKey());
      assertThat(structure(browser)).as(page.getKey()).isEqualTo(page.getValue());
    }
    browser.open(queue.url("/task?id=" + queue.id("mail/err")));
    browser.follow("Retry now");
    browser.press("Retry now", "The task is available now.");
    assertThat(queue.tasks("mail")).hasSize(1);
  }
}
