package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a command in its own process, with its own logging, prints if it cannot connect. */
class UnreachableServerIT {
  @Test
  void shouldReportUnknownHostInOneLine() throws Exception {
    assertThat(errors("no-such-host.invalid:37706"))
        .containsExactly(
            "entroq stats: the host name in no-such-host.invalid:37706 is unknown; check -s and"
                + " DNS");
  }

  @Test
  void shouldReportClosedPortInOneLine() throws Exception {
    assertThat(errors("localhost:1"))
        .singleElement()
        .asString()
        .startsWith("entroq stats: no answer from localhost:1: ")
        .contains("Connection refused");
  }

  private static List<String> errors(String address) throws Exception {
    Process stats =
        Java.command(Main.class, "stats", "-s", address, "--connect-timeout", "5s").start();
    stats.getOutputStream().close();
    List<String> errors = stats.errorReader().lines().toList();
    assertThat(stats.waitFor()).isEqualTo(1);
    assertThat(stats.inputReader().lines()).isEmpty();
    return errors;
  }
}
