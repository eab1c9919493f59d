package io.entroq.system.member;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of the system that only succeed or fail. */
public final class ShellCommand {
  private static final int SECONDS_MAX = 10;

  private ShellCommand() {}

  /** Runs a command to its end. */
  public static boolean succeeds(String... words) throws IOException {
    Process process =
        new ProcessBuilder(List.of(words))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.onExit().completeOnTimeout(process, SECONDS_MAX, TimeUnit.SECONDS).join();
    if (process.isAlive()) {
      process.destroyForcibly();
      return false;
    }
    return process.exitValue() == 0;
  }
}
