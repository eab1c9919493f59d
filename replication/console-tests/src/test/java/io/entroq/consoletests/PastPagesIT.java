package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Every page as of an earlier moment, and the slider that leads there. */
class PastPagesIT {
  private static final int NARROW = 320;

  /** Between two places of the slider at most, as long as the tests run. */
  private static final long APART_MS = 1_000;

  private static Browser browser;
  private static ServedQueue queue;

  /** A task that was dead then, and is gone now. */
  private static String gone;

  /** A time between what was then and what is now. */
  private static long thenMs;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    browser = Browser.start();
    queue = ServedQueue.start("--data=" + data, "--durability=os");
    queue.insert("inbox", "1", "2");
    assertThat(queue.canClaim("inbox")).isTrue();
    queue.die("mail", "mailbox 1 is full");
    gone = queue.id("mail/err");
    thenMs = letTimePass() - APART_MS;
    queue.insert("inbox", "3", "4", "5");
    queue.insert("young", "6");
    queue.delete(queue.tasks("mail/err").get(0));
  }

  /** Returns a time that is not of the two pasts, which are this far away each. */
  private static long letTimePass() {
    long beginMs = System.currentTimeMillis();
    while (System.currentTimeMillis() < beginMs + 2 * APART_MS) {
      queue.insert("meanwhile", "1");
    }
    return System.currentTimeMillis();
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

  private static String then(String path) {
    return queue.url(path)
        + (path.contains("?") ? "&" : "?")
        + "at="
        + Instant.ofEpochMilli(thenMs);
  }

  private static List<String> pages() {
    return List.of(
        then(""),
        then("/queues"),
        then("/queue?name=inbox"),
        then("/task?id=" + gone),
        then("/dead"),
        then("/workers"),
        then("/cluster"),
        then("/time"),
        queue.url("/time"),
        queue.url("/queue?name=inbox&at=999999999999"));
  }

  private static WebElement slider() {
    return browser.driver().findElement(By.id("slide"));
  }

  private static long number(String attribute) {
    return Long.parseLong(slider().getDomAttribute(attribute));
  }

  /** Moves the slider to the time of then, by keys alone. */
  private static void slideToThen() {
    long places = (thenMs - number("min")) / number("step");
    new Actions(browser.driver())
        .sendKeys(Keys.HOME)
        .sendKeys(Keys.ARROW_RIGHT.toString().repeat((int) places))
        .perform();
  }

  @Test
  void shouldShowEachPageAsOfThenByTheKeyboardAndGoBackToNow() {
    browser.complaints();
    browser.open(queue.url("/time"));
    browser.tabToId("slide");
    slideToThen();
    String shown =
        (String) browser.run("return document.querySelector('[data-slide-time]').innerText");
    assertThat(slider().getDomAttribute("aria-valuetext")).isEqualTo(shown);
    browser.press(Keys.ENTER);
    browser.awaitWords("As of " + shown);

    go("Overview", "Dead\\s+1\\b", "Available\\s+\\d+", "Claimed by workers\\s+1\\b");
    go("Queues", "inbox\\s+1\\s+1\\b", "mail/err");
    assertThat(browser.text()).doesNotContain("young");
    browser.follow("inbox");
    browser.awaitWords("Queue inbox");
    browser.awaitText("Then\\s+Tasks\\s+2\\b");
    go("Dead letters", "mailbox # is full", "mail/err\\s+1\\b");
    browser.follow(gone);
    browser.awaitWords("Moved to mail/err: failed too often");
    assertThat(browser.text()).contains("mailbox 1 is full", "Then").doesNotContain("Deleted by");
    go("Workers", "worker 7\\s+1\\b");
    go("Cluster", "Nothing of this page can be shown as of then");
    go("Time", "entroq branch --at \\d+ --data DIR try-out");

    go("Queues", "As of");
    browser.tabToId("slide");
    browser.press(Keys.END);
    browser.press(Keys.ENTER);
    browser.awaitWords("young");
    assertThat(browser.text()).doesNotContain("Back to now");
    browser.follow("inbox");
    browser.awaitWords("Queue inbox");
    browser.awaitText("Now\\s+Tasks\\s+5\\b");
    browser.driver().navigate().back();
    browser.driver().navigate().back();
    browser.awaitWords("As of");
    browser.follow("Back to now");
    browser.awaitWords("young");
    browser.open(queue.url("/task?id=" + gone));
    browser.awaitWords("There is no such task now");
    assertThat(browser.complaints()).isEmpty();
  }

  /** Follows a link of the navigation, and waits until the page says all of this. */
  private static void go(String section, String... patterns) {
    browser.driver().findElement(By.linkText(section)).sendKeys(Keys.ENTER);
    // Across pages.
    browser.driver().findElement(By.xpath("//nav//a[@aria-current and .='" + section + "']"));
    browser.awaitWords("As of");
    for (String pattern : patterns) {
      browser.awaitText(pattern);
    }
  }

  @Test
  void shouldGoWhereAPointerLetsGo() {
    browser.open(queue.url("/time"));
    int width = slider().getSize().getWidth();
    new Actions(browser.driver())
        .moveToElement(slider(), width / 2 - 4, 0)
        .clickAndHold()
        .moveByOffset(-width / 2, 0)
        .release()
        .perform();
    browser.awaitWords("As of");
    assertThat(browser.driver().getCurrentUrl()).matches(".*/time\\?at=[0-9TZA%.-]+");
  }

  @Test
  void shouldGoToAnExactMoment() {
    browser.open(then("/queue?name=inbox"));
    browser.fill("at", Instant.ofEpochMilli(thenMs).toString());
    browser.press("Show", "As of " + Instant.ofEpochMilli(thenMs).toString().substring(0, 10));
    browser.fill("at", "999999999999");
    browser.press("Show", "The past cannot be shown");
    browser.follow("Back to now");
    browser.awaitWords("Queue inbox");
    browser.awaitText("Now\\s+Tasks\\s+5\\b");
  }

  @Test
  void shouldWorkWithoutScript() {
    try (Browser without = Browser.startWithoutScripts()) {
      without.open(queue.url("/time"));
      without.driver().findElement(By.id("slide")).sendKeys(Keys.HOME);
      without.press("Show", "As of");
      without.driver().findElement(By.linkText("Queues")).sendKeys(Keys.ENTER);
      without.awaitWords("As of");
      assertThat(without.text()).doesNotContain("young");
      without.driver().findElement(By.id("slide")).sendKeys(Keys.END);
      without.press("Show", "young");
    }
  }

  @Test
  void shouldBeUsableByEverybodyInLightAndDark() {
    SoftAssertions softly = new SoftAssertions();
    List<String> complaints = new ArrayList<>();
    for (String scheme : List.of("light", "dark")) {
      browser.prefer(scheme);
      for (String url : pages()) {
        browser.open(url);
        complaints.addAll(browser.complaints());
        softly.assertThat(browser.barriers()).as("%s, %s", url, scheme).isEmpty();
        browser.complaints();
      }
    }
    browser.prefer("light");
    browser.width(NARROW);
    for (String url : pages()) {
      browser.open(url);
      softly.assertThat(browser.overflow()).as(url).isLessThanOrEqualTo(0);
    }
    browser.usualWidth();
    softly
        .assertThat(complaints)
        .allSatisfy(complaint -> assertThat(complaint).contains("at=999999999999", "400"));
    softly.assertAll();
  }

  @Test
  void shouldChangeNothingOfThePast() {
    for (String url : pages()) {
      browser.open(url);
      assertThat(browser.links()).as(url).noneMatch(link -> link.contains("/console/do/"));
      assertThat(browser.run("return document.querySelectorAll('form[method=post]').length"))
          .as(url)
          .isEqualTo(0L);
    }
  }
}
