package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every page that links lead to, one of each kind. */
class ConsolePagesIT {
  private static final int NARROW = 320;

  private static Browser browser;
  private static ServedQueue queue;

  /** The URL of a page by its path. */
  private static Map<String, String> pages;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    queue = ServedQueue.start();
    queue.insert("inbox", "{\"name\":\"Ann\",\"items\":[1,2,{\"deep\":true}]}", "\"text\"", "7");
    queue.insert("inbox/err", "{\"why\":\"failed\"}");
    queue.insert("a queue/with <b>odd</b> & \\\"names\\\"", "\"<script>alert(1)</script>\"");
    queue.put("queue", "tenants", "{\"fair\":\"FAIR_ROUND_ROBIN\",\"poolInFlightMax\":8}");
    queue.insert("tenants/ann", "1");
    queue.put("prefix", "tenants/", "{\"limiters\":[\"stripe-api\"]}");
    queue.put("limiter", "stripe-api", "{\"inFlightMax\":5}");
    pages = browser.pages(queue.url(""));
    browser.complaints();
  }

  @AfterAll
  static void close() {
    if (queue != null) {
      queue.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void shouldHavePages() {
    assertThat(pages)
        .containsKeys(
            "/console",
            "/console/queues",
            "/console/policies",
            "/console/policy",
            "/console/jobs",
            "/console/do/pause",
            "/console/do/policy",
            "/console/do/drop-policy");
  }

  @Test
  void shouldBeUsableByEverybodyInLightAndDark() {
    SoftAssertions softly = new SoftAssertions();
    for (String scheme : List.of("light", "dark")) {
      browser.prefer(scheme);
      for (String url : pages.values()) {
        browser.open(url);
        softly.assertThat(browser.barriers()).as("%s, %s", url, scheme).isEmpty();
      }
    }
    browser.prefer("light");
    browser.complaints();
    softly.assertAll();
  }

  @Test
  void shouldGiveTheBrowserNothingToComplainAbout() {
    SoftAssertions softly = new SoftAssertions();
    for (String url : pages.values()) {
      browser.open(url);
      softly.assertThat(browser.complaints()).as(url).isEmpty();
    }
    softly.assertAll();
  }

  @Test
  void shouldFitOnANarrowScreen() {
    SoftAssertions softly = new SoftAssertions();
    browser.width(NARROW);
    for (String url : pages.values()) {
      browser.open(url);
      softly.assertThat(browser.overflow()).as(url).isLessThanOrEqualTo(0);
    }
    browser.usualWidth();
    softly.assertAll();
  }
}
