package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.cli.Cli;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts a command that runs in its own process. */
class QueueProcessIT {
  @TempDir private Path data;
  private Process claim;

  @AfterEach
  void kill() {
    claim.destroyForcibly();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLeaveNothingClaimedWhenInterruptedWhileWaiting() throws Exception {
    Cli.on(data, "ins", "-q", "inbox", "-i", "1h").assertGood();
    ProcessBuilder command =
        Java.command(Main.class, "claim", "-q", "inbox", "--data", data.toString());
    command.command(Java.hearingInterrupt(command));
    command.environment().put("EQC_CLAIMANT", "me");
    claim = command.start();
    assertThat(claim.errorReader().readLine()).contains("waiting for one in inbox");
    Cli.on(data, "ts", "-q", "inbox").assertFailed("is in use by process " + claim.pid());

    new ProcessBuilder("kill", "-INT", Long.toString(claim.pid())).start().waitFor();
    List<String> rest = claim.errorReader().lines().toList();
    assertThat(rest).containsExactly("entroq claim: interrupted, nothing is claimed");
    assertThat(claim.waitFor()).isEqualTo(128 + 2);
    assertThat(Cli.on(data, "ts", "-q", "inbox").lastLine().get("version").asInt()).isZero();
    assertThat(Cli.run("log", "dump", data).assertGood().out()).contains("\"claimant\":\"me\"");
  }
}
