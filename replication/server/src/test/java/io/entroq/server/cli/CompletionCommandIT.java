package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class CompletionCommandIT {
  @TempDir private Path temporary;
  private Path script;

  @BeforeEach
  void write() throws IOException {
    script = temporary.resolve("entroq");
    Files.writeString(script, Cli.run("completion").assertGood().out());
  }

  @Test
  void shouldBeAScriptOfBash() throws Exception {
    assertThat(bash("-n", script.toString())).isEmpty();
  }

  @Test
  void shouldCompleteCommandsAndOptions() throws Exception {
    assertThat(complete("entroq", "red")).containsExactly("redrive");
    assertThat(complete("entroq", "redrive", "--dr")).containsExactly("--dry-run");
    assertThat(complete("entroq", "log", "ver")).containsExactly("verify");
  }

  /** The completions that the shell offers for the last word. */
  private List<String> complete(String... words) throws Exception {
    String line =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_entroq 2>/dev/null; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, String.join(" ", words), words.length - 1);
    return bash("-c", line).stream().map(String::strip).toList();
  }

  private static List<String> bash(String... args) throws Exception {
    ProcessBuilder command = new ProcessBuilder("bash");
    command.command().addAll(List.of(args));
    Process process = command.redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
    return lines;
  }
}
