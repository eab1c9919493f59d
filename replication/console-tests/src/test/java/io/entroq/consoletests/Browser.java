package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
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

  private Browser(Path program, Path driverProgram) {
    ChromeOptions options = new ChromeOptions();
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
    driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
  }

  /** Starts a browser; skips the test if none is installed. */
  static Browser start() {
    Optional<Path> program = find("chromium");
    Optional<Path> driver = find("chromedriver");
    boolean isInstalled = program.isPresent() && driver.isPresent();
    if (REQUIRED.equals(System.getenv(VARIABLE))) {
      assertThat(isInstalled).as("chromium and chromedriver are on the path").isTrue();
    }
    assumeTrue(
        isInstalled, "no browser: install chromium and chromium-driver to test the console in one");
    return new Browser(program.orElseThrow(), driver.orElseThrow());
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
  Object run(String script) {
    return driver.executeScript(script);
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

  /** Opens a page. */
  void open(String url) {
    driver.get(url);
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

  /** The addresses of all links of the page. */
  @SuppressWarnings("unchecked")
  List<String> links() {
    return (List<String>)
        driver.executeScript("return Array.from(document.links, (link) => link.href)");
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
