package io.entroq.tools.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Asks for secrets at the terminal of standard input, which does not show them. Standard output may
 * be a file: the JDK has a console only if both are a terminal, so this turns the echo off itself
 * by {@code stty}. Single-threaded; blocks.
 */
public final class SecretPrompt {
  private static final Path TERMINAL = Path.of("/proc/self/fd/0");

  private final String instead;

  /** Null before it is needed. */
  private BufferedReader lines;

  /**
   * @param instead what a user can do where the terminal would show a secret, for a message
   */
  public SecretPrompt(String instead) {
    this.instead = instead;
  }

  /**
   * Asks for one.
   *
   * @param label what is asked for
   * @return empty at the end of input
   * @throws CommandException if the terminal would show it; nothing was read
   */
  public Optional<String> ask(String label) {
    if (Terminal.isAttached()) {
      return Optional.ofNullable(System.console().readPassword(label)).map(String::new);
    }
    String before = stty("-g");
    Thread restore = new Thread(() -> stty(before), "entroq-terminal");
    Runtime.getRuntime().addShutdownHook(restore);
    try {
      stty("-echo");
      show(label);
      return Optional.ofNullable(line());
    } finally {
      stty(before);
      show("\n");
      Runtime.getRuntime().removeShutdownHook(restore);
    }
  }

  private String line() {
    try {
      if (lines == null) {
        lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      }
      return lines.readLine();
    } catch (IOException e) {
      throw new CommandException("cannot read from the terminal: " + e.getMessage(), e);
    }
  }

  private static void show(String text) {
    try {
      Files.writeString(TERMINAL, text, StandardOpenOption.WRITE);
    } catch (IOException e) {
      System.err.print(text);
    }
  }

  /** Reads or sets modes of the terminal. */
  private String stty(String modes) {
    try {
      Process process =
          new ProcessBuilder("stty", modes)
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() == 0) {
        return output.strip();
      }
      throw wouldShow(output.strip(), null);
    } catch (IOException e) {
      throw wouldShow(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw wouldShow("interrupted", e);
    }
  }

  private CommandException wouldShow(String why, Exception cause) {
    return new CommandException(
        "the terminal would show what you type (stty: %s); %s".formatted(why, instead), cause);
  }
}
