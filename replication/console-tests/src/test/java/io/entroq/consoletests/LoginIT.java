package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;

/** A user logs in and out with the keyboard alone. */
class LoginIT {
  @TempDir private Path directory;

  /** A file with a user, made by the command for that. */
  private String users() throws Exception {
    Path users = directory.resolve("users");
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                System.getProperty("entroq.test.jar"),
                "console-user",
                "ann",
                "--role",
                "operator")
            .redirectOutput(users.toFile())
            .redirectError(directory.resolve("errors").toFile())
            .start();
    command.getOutputStream().write("correct horse\n".getBytes(StandardCharsets.UTF_8));
    command.getOutputStream().close();
    assertThat(command.waitFor()).as(Files.readString(directory.resolve("errors"))).isZero();
    return users.toString();
  }

  private static void logIn(ChromeDriver driver, String password) {
    driver.findElement(By.name("name")).clear();
    driver.findElement(By.name("name")).sendKeys("ann", Keys.TAB, password, Keys.TAB, Keys.ENTER);
  }

  @Test
  void shouldLogInAndOut() throws Exception {
    try (Browser browser = Browser.start();
        ServedQueue queue =
            ServedQueue.start("--console-login=file", "--console-users-file=" + users())) {
      ChromeDriver driver = browser.driver();
      browser.open(queue.url(""));
      assertThat(driver.getCurrentUrl()).startsWith(queue.url("/login?next="));
      assertThat(browser.barriers()).isEmpty();

      logIn(driver, "wrong");
      browser.awaitWords("The name or the password is wrong.");
      assertThat(browser.barriers()).isEmpty();

      logIn(driver, "correct horse");
      driver.findElement(By.xpath("//header[contains(normalize-space(), 'ann operator')]"));
      assertThat(driver.getCurrentUrl()).isEqualTo(queue.url(""));
      assertThat(driver.executeScript("return document.cookie")).isEqualTo("");

      driver
          .findElement(By.cssSelector("form[action='/console/logout'] button"))
          .sendKeys(Keys.ENTER);
      browser.awaitWords("Log in");
      assertThat(driver.getCurrentUrl()).isEqualTo(queue.url("/login"));
      browser.open(queue.url(""));
      assertThat(driver.findElement(By.tagName("body")).getText())
          .contains("Log in")
          .doesNotContain("ann");
    }
  }
}
