package io.entroq.server.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RecordsRemovedException;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A tool whose log an engine shortens while it reads. */
class LogToolCommandTest {
  @TempDir private Path data;
  private final List<LogReading> readings = new ArrayList<>();

  @BeforeEach
  void make() {
    LogDirectory.open(data).close();
  }

  @Test
  void shouldRetryIfSegmentsWereRemoved() {
    assertThat(run(new Tool(true, 3))).isNull();
    assertThat(readings).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void shouldFailIfSegmentsKeepBeingRemoved() {
    assertThat(run(new Tool(true, 1_000))).hasMessage("moved on");
    assertThat(readings).hasSize(4);
  }

  @Test
  void shouldPrintNothingTwice() {
    assertThat(run(new Tool(false, 1))).hasMessage("moved on");
    assertThat(readings).hasSize(1);
  }

  /** The failure; null if there is none. */
  private Exception run(Tool tool) {
    List<Exception> failures = new ArrayList<>();
    int status =
        new CommandLine(tool)
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  failures.add(e);
                  return 1;
                })
            .execute(data.toString());
    assertThat(status).isEqualTo(failures.size());
    return failures.isEmpty() ? null : failures.get(0);
  }

  /** Fails the given number of times because segments were removed. */
  @Command(name = "tool")
  private final class Tool extends LogToolCommand {
    private final boolean printsAtEnd;
    private int removals;

    Tool(boolean printsAtEnd, int removals) {
      this.printsAtEnd = printsAtEnd;
      this.removals = removals;
    }

    @Override
    boolean printsAtEnd() {
      return printsAtEnd;
    }

    @Override
    void run(LogReading reading, JsonLines lines) {
      readings.add(reading);
      if (removals > 0) {
        removals--;
        throw new RecordsRemovedException("moved on");
      }
    }
  }
}
