package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.OutputType;

/**
 * Makes the pictures of the README: below {@code target}, or in the directory that {@code
 * -Dentroq.pictures} names.
 */
@Tag("long")
class PicturesIT {
  private static final int WIDTH = 1_280;
  private static final int BYTES_MAX = 150 << 10;

  @Test
  void shouldShowTheOverviewAndATask() throws Exception {
    try (Browser browser = Browser.start();
        ServedQueue queue = ServedQueue.start()) {
      while (!queue.hasSeenFailures()) {
        queue.die("mail", "mailbox 16 is full");
      }
      queue.insert("orders", Collections.nCopies(240, "{\"order\":17}").toArray(String[]::new));
      queue.insert("thumbnails", Collections.nCopies(60, "1").toArray(String[]::new));
      for (int i = 0; i < 8; i++) {
        assertThat(queue.canClaim("thumbnails")).isTrue();
      }
      queue.die("payments", "card 4711 is declined", "card 4712 is declined", "no answer in 30 s");
      browser.width(WIDTH);
      browser.open(queue.url(""));
      browser.awaitWords("no answer in 30 s");
      browser.awaitText("Dead\\s+[1-9]");
      save(browser, "overview-light.png");
      browser.follow((String) queue.tasks("payments/err").get(0).get("id"));
      browser.awaitWords("Moved to payments/err: failed too often");
      save(browser, "task-light.png");
    }
  }

  private static void save(Browser browser, String name) throws IOException {
    byte[] picture = browser.driver().getScreenshotAs(OutputType.BYTES);
    assertThat(picture.length).isLessThan(BYTES_MAX);
    Path directory = Path.of(System.getProperty("entroq.pictures", "target/pictures"));
    Files.createDirectories(directory);
    Files.write(directory.resolve(name), picture);
  }
}
