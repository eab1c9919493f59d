package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Interrupts a process that draws a bar on a terminal. */
@EnabledOnOs(OS.LINUX)
class ProgressBarIT {
  private static final Pattern PROGRESS = Pattern.compile("\\r +[1-9][0-9]? % ");

  @Test
  void shouldExitCleanlyWhenInterruptedWhileDrawingBar() throws Exception {
    assumeTrue(isThere("script"), "there is no script command");
    ProcessBuilder bench =
        Java.command(Main.class, "bench", "--seconds", "60", "--warmup-seconds", "0");
    String words =
        Java.hearingInterrupt(bench).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    ProcessBuilder command = new ProcessBuilder("script", "-qec", "exec " + words, "/dev/null");
    command.environment().put("TERM", "xterm-256color");
    Process script = command.redirectErrorStream(true).start();
    try {
      BufferedReader out = script.inputReader();
      awaitBar(out);
      long pid = script.descendants().findFirst().orElseThrow().pid();
      assertThat(new ProcessBuilder("kill", "-INT", Long.toString(pid)).start().waitFor()).isZero();
      List<String> rest = out.lines().toList();
      assertThat(rest).anyMatch(line -> line.contains("cycles"));
      assertThat(script.waitFor()).isEqualTo(128 + 2);
    } finally {
      script.descendants().forEach(ProcessHandle::destroyForcibly);
      script.destroyForcibly();
    }
  }

  /** Awaits any progress: on a busy machine the bar may pass over its first steps. */
  private static void awaitBar(BufferedReader out) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (!PROGRESS.matcher(seen).find()) {
      int character = out.read();
      assertThat(character).as("%s", seen).isNotNegative();
      seen.append((char) character);
    }
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      return new ProcessBuilder(program, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
