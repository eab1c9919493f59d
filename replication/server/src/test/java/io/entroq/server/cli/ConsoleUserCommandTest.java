package io.entroq.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.security.crypto.bcrypt.BCrypt;

@ResourceLock("System.in")
class ConsoleUserCommandTest {
  private static Cli run(String input, Object... args) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(UTF_8)));
    try {
      return Cli.run(args);
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void shouldPrintALineWithTheHashOfAPassword() {
    String line =
        run("sécret\nmore", "console-user", "ann", "--role", "admin").assertGood().out().strip();
    String[] parts = line.split(":");
    assertThat(parts[0]).isEqualTo("ann");
    assertThat(parts[2]).isEqualTo("admin");
    assertThat(BCrypt.checkpw("sécret", parts[1])).isTrue();
  }

  @Test
  void shouldPrintALineWithoutAPassword() {
    assertThat(
            run("", "console-user", "ann@example.com", "--no-password").assertGood().out().strip())
        .isEqualTo("ann@example.com:*:viewer");
  }

  @Test
  void shouldSayWhatIsWrong() {
    run("", "console-user", "ann").assertFailed("no password was given");
    run("x".repeat(73), "console-user", "ann").assertFailed("at most 72 bytes");
    run("x", "console-user", "a:b").assertMisused("NAME: a name has 1 to 64 characters");
    run("x", "console-user", "ann", "--role", "king")
        .assertMisused("--role: expected viewer, operator or admin, got king");
  }
}
