package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Chromium, without a window. For one thread. */
final class Browser implements AutoCloseable {
  /** Says that a browser has to be there; otherwise, tests without one are skipped. */
  private static final String VARIABLE = "ENTROQ_BROWSER";

  private static final String REQUIRED = "required";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int WIDTH = 1_280;
  private static final int HEIGHT = 800;

  private static final List<String> FLAGS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--window-size=" + WIDTH + "," + HEIGHT);

  /** What users set to forbid scripts: 2 is to block. */
  private static final Map<String, Integer> NO_SCRIPTS =
      Map.of("profile.managed_default_content_settings.javascript", 2);

  /** Before the text of what has the focus without being seen. */
  private static final String UNSEEN = "unseen: ";

  /** The most elements to go through to reach one. */
  private static final int STOPS_MAX = 200;

  /** What the browser complains about that is no fault of a page. */
  private static final String FAVICON = "favicon.ico";

  /** Kept, since loggers that nobody holds lose their level. */
  private static final Logger LOGGER = Logger.getLogger("org.openqa.selenium");

  static {
    // It warns that it does not know the newest browsers by name.
    LOGGER.setLevel(Level.SEVERE);
  }

  private static final String AXE = script();

  private final ChromeDriver driver;

  private Browser(Path program, Path driverProgram, ChromeOptions options) {
    options.setBinary(program.toString());
    options.addArguments(FLAGS);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(driverProgram.toFile())
                .usingAnyFreePort()
                .build(),
            options);
    driver
        .manage()
        .timeouts()
        .pageLoadTimeout(PATIENCE)
        .scriptTimeout(PATIENCE)
        .implicitlyWait(PATIENCE);
  }

  /** Starts a browser; skips the test if none is installed. */
  static Browser start() {
    return start(new ChromeOptions());
  }

  /** As {@link #start}, one that runs no scripts of pages. */
  static Browser startWithoutScripts() {
    return start(new ChromeOptions().setExperimentalOption("prefs", NO_SCRIPTS));
  }

  private static Browser start(ChromeOptions options) {
    Optional<Path> program = find("chromium");
    Optional<Path> driver = find("chromedriver");
    boolean isInstalled = program.isPresent() && driver.isPresent();
    if (REQUIRED.equals(System.getenv(VARIABLE))) {
      assertThat(isInstalled).as("chromium and chromedriver are on the path").isTrue();
    }
    assumeTrue(
        isInstalled, "no browser: install chromium and chromium-driver to test the console in one");
    return new Browser(program.orElseThrow(), driver.orElseThrow(), options);
  }

  private static Optional<Path> find(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String script() {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ChromeDriver driver() {
    return driver;
  }

  /** Runs a script in the page. */
  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** The content of the page. */
  String text() {
    return driver.findElement(By.tagName("main")).getText();
  }

  /** Waits until the content of the page has text. */
  void awaitText(String pattern) {
    await(
        "new RegExp('"
            + pattern.replace("\\", "\\\\")
            + "').test(document.querySelector('main').innerText)");
  }

  /** Waits until an expression is true in the page. */
  void await(String expression) {
    driver.executeAsyncScript(
        "const done = arguments[arguments.length - 1];"
            + "const look = () => (%s) ? done() : setTimeout(look, 50); look();"
                .formatted(expression));
  }

  /** Opens a page; again if the server had no time to answer. */
  void open(String url) {
    do {
      driver.get(url);
    } while (driver.getPageSource().contains("HTTP 504"));
  }

  /** Follows the link of the content with a text. */
  void follow(String text) {
    enter(By.xpath("//main//a[normalize-space()='" + text + "']"));
  }

  /** Presses the button of the content with a text, and waits for one of some answers. */
  void press(String text, String... answers) {
    enter(By.xpath("//main//button[normalize-space()='" + text + "']"));
    awaitWords(answers);
  }

  /** Waits until the content says one of these; also across pages, and without scripts. */
  void awaitWords(String... words) {
    String isSaid =
        Stream.of(words)
            .map(each -> "contains(normalize-space(), '" + each + "')")
            .collect(Collectors.joining(" or "));
    try {
      driver.findElement(By.xpath("//main[" + isSaid + "]"));
    } catch (NoSuchElementException e) {
      throw new AssertionError("%s says: %s".formatted(driver.getCurrentUrl(), text()), e);
    }
  }

  /** By the key: a mouse would miss what moves on a live page. */
  private void enter(By element) {
    while (true) {
      try {
        driver.findElement(element).sendKeys(Keys.ENTER);
        return;
      } catch (StaleElementReferenceException e) {
        // The page has loaded this part again, and the new one is as good.
        LOGGER.fine(e.getMessage());
      }
    }
  }

  /** Fills a field of a form. */
  void fill(String field, String text) {
    WebElement input = driver.findElement(By.id("field-" + field));
    input.clear();
    input.sendKeys(text);
  }

  /** Presses a key where the focus is. */
  void press(Keys key) {
    new Actions(driver).sendKeys(key).perform();
  }

  /** Presses Tab until an element with a text has the focus, which is to be seen at every stop. */
  void tabTo(String text) {
    String focused = "";
    for (int i = 0; i < STOPS_MAX && !focused.equals(text); i++) {
      press(Keys.TAB);
      focused = focused();
      assertThat(focused).doesNotStartWith(UNSEEN);
    }
    assertThat(focused).as("what has the focus at last").isEqualTo(text);
  }

  /** Presses Tab until the element with an id has the focus. */
  void tabToId(String id) {
    for (int i = 0; i < STOPS_MAX; i++) {
      press(Keys.TAB);
      if (id.equals(run("return document.activeElement.id"))) {
        return;
      }
    }
    throw new AssertionError("no Tab leads to " + id);
  }

  /** The text of what has the focus, after {@link #UNSEEN} if that does not show; may be empty. */
  String focused() {
    return (String)
        run(
            """
            const element = document.activeElement;
            if (element === document.body) {
              return '';
            }
            const style = getComputedStyle(element);
            const box = element.getBoundingClientRect();
            const isSeen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
              && box.width > 0 && box.top < innerHeight && box.bottom > 0;
            return (isSeen ? '' : arguments[0]) + element.textContent.trim();
            """,
            UNSEEN);
  }

  /** Waits until a live page has loaded its content again. */
  void awaitUpdate() {
    run("window.before = document.querySelector('#live > *')");
    await("!window.before.isConnected");
  }

  /** Shows pages as to somebody who prefers a scheme of colors. */
  void prefer(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Shows pages on a screen of a width, in CSS pixels. */
  void width(int pixels) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", pixels, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
  }

  /** As {@link #width}, the usual one. */
  void usualWidth() {
    driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  /** By how many CSS pixels the page is wider than the screen. */
  long overflow() {
    return (Long)
        driver.executeScript(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }

  /** How long the page, or what it has loaded since, has waited for an answer at most. */
  double slowestAnswerMs() {
    return ((Number)
            run(
                "return Math.max(...performance.getEntries()"
                    + ".map((entry) => entry.responseEnd ? entry.duration : 0))"))
        .doubleValue();
  }

  /** The addresses of all links of the page. */
  @SuppressWarnings("unchecked")
  List<String> links() {
    return (List<String>)
        driver.executeScript("return Array.from(document.links, (link) => link.href)");
  }

  /**
   * Opens every page that links lead to, one of each kind.
   *
   * @param root the URL of the first, with which those of all others begin
   * @return the URL of each page by its path
   */
  Map<String, String> pages(String root) {
    Map<String, String> found = new LinkedHashMap<>();
    Deque<String> rest = new ArrayDeque<>(List.of(root));
    while (!rest.isEmpty()) {
      String url = rest.pop();
      if (url.startsWith(root) && found.putIfAbsent(URI.create(url).getPath(), url) == null) {
        open(url);
        rest.addAll(links());
      }
    }
    return found;
  }

  /** What somebody could not use or read of the page, by the rules of WCAG 2.1, A and AA. */
  @SuppressWarnings("unchecked")
  List<String> barriers() {
    driver.executeScript(AXE);
    return (List<String>)
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then((found) =>
              done(found.violations.flatMap((rule) =>
                rule.nodes.map((node) => rule.id + ': ' + node.html + ' ' + node.failureSummary))),
              (failure) => done(['axe failed: ' + failure]));
            """);
  }

  /** What the browser has complained about since the last time, such as blocked scripts. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(entry -> entry.getMessage())
        .filter(message -> !message.contains(FAVICON))
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
