package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** The command at a real terminal, while its output goes to a file. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ConsoleUserCommandIT {
  private static final Path TERMINAL = Path.of("/usr/bin/script");

  @TempDir private Path directory;
  private Process process;
  private final StringBuilder shown = new StringBuilder();

  @BeforeEach
  void requireTerminal() {
    assumeTrue(Files.isExecutable(TERMINAL), "util-linux has the command script");
  }

  @AfterEach
  void end() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private Path users() {
    return directory.resolve("users");
  }

  /** Starts the command at a terminal. */
  private void start(String before) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String command =
        "%s '%s' -cp '%s' io.entroq.server.cli.Main console-user ann --role admin > '%s'; stty -a"
            .formatted(before, java, System.getProperty("java.class.path"), users());
    Path run = Files.writeString(directory.resolve("run"), command);
    process =
        new ProcessBuilder(
                TERMINAL.toString(),
                "-q",
                "-e",
                "-c",
                "sh " + run,
                directory.resolve("log").toString())
            .redirectErrorStream(true)
            .start();
  }

  /** Reads what the terminal shows until it has a text. */
  private void await(String text) throws IOException {
    InputStream screen = process.getInputStream();
    for (int next = screen.read(); next >= 0; next = screen.read()) {
      shown.append((char) next);
      if (shown.indexOf(text) >= 0) {
        return;
      }
    }
    throw new AssertionError("the terminal has shown only: " + shown);
  }

  private void type(String text) throws IOException {
    OutputStream keys = process.getOutputStream();
    keys.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  @Test
  void shouldNotShowAPasswordWhenItsOutputIsRedirected() throws Exception {
    start("");
    await("Password: ");
    type("secret word");
    await("Again: ");
    type("secret word");
    // What stty says last: the terminal shows again what is typed.
    await(" echo ");
    assertThat(shown).doesNotContain("secret word");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String[] line = Files.readString(users()).strip().split(":");
    assertThat(line[0]).isEqualTo("ann");
    assertThat(BCrypt.checkpw("secret word", line[1])).isTrue();
    assertThat(line[2]).isEqualTo("admin");
  }

  @Test
  void shouldSayThatThePasswordsDiffer() throws Exception {
    start("");
    await("Password: ");
    type("secret word");
    await("Again: ");
    type("secret wort");
    await("the passwords differ");
    await(" echo ");
    assertThat(Files.readString(users())).isEmpty();
  }

  @Test
  void shouldReadNothingIfTheTerminalWouldShowIt() throws Exception {
    // Without a command that turns the echo off.
    start("PATH=/nowhere");
    await("the terminal would show what you type");
    await("give the password on standard input: entroq console-user NAME < FILE");
    assertThat(Files.readString(users())).isEmpty();
  }
}
