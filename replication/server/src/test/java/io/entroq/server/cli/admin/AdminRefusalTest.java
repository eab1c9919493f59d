package io.entroq.server.cli.admin;

import io.entroq.server.cli.Cli;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Refusals of operator commands. */
class AdminRefusalTest {
  private static final String NO_MEMBER = "is not a member of a cluster";

  @Test
  void shouldReportThatServerIsNotAMember() {
    try (EntroqServer serving = start(Map.of())) {
      run(serving, "status").assertFailed(NO_MEMBER);
      run(serving, "snapshot").assertFailed(NO_MEMBER);
    }
  }

  @Test
  void shouldAnswerOnlyCallersWhoMayReadEverything() throws Exception {
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving =
            start(Map.of("ENTROQ_AUTHZ", "opahttp", "ENTROQ_OPA_URL", opa.url()))) {
      run(serving, "status").assertFailed("denied");
      run(serving, "status", "--authz_token", "token-of-ann").assertFailed("denied");
      run(serving, "snapshot", "--authz_token", "token-of-ann").assertFailed("denied");
      run(serving, "status", "--authz_token", "token-of-root").assertFailed(NO_MEMBER);
      run(serving, "snapshot", "--authz_token", "token-of-root").assertFailed(NO_MEMBER);
    }
  }

  @Test
  void shouldRejectInvalidCommandLines() {
    Cli.run("status").assertMisused("--svcaddr");
    Cli.run("members", "-s", "a,,b").assertMisused("one is empty");
    Cli.run("replace-member", "--id", 3, "--members", "a:1,b:1,c:1", "--data", "d", "-s", "a")
        .assertMisused("memberId must be from 0 to 2, is 3");
    Cli.run("replace-member", "--id", 0, "--members", "a:1,b,c:1", "--data", "d", "-s", "a")
        .assertMisused("an address must be HOST:PORT, is 'b'");
    Cli.run(
            "replace-member",
            "--id",
            0,
            "--members",
            "a:1,b:1,c:1",
            "--data",
            "d",
            "-s",
            "192.0.2.1:1")
        .assertMisused("all tasks would be copied from 192.0.2.1:1 without encryption");
    Cli.run(
            "replace-member",
            "--id",
            0,
            "--members",
            "8.8.8.8:1,127.0.0.1:11,127.0.0.1:21",
            "--data",
            "d",
            "-s",
            "127.0.0.1:1")
        .assertFailed("--members: public addresses without WireGuard", "--allow-public-members");
  }

  private static EntroqServer start(Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("ENTROQ_HOST", "127.0.0.1");
    environment.put("ENTROQ_PORT", "0");
    environment.put("ENTROQ_HTTP_PORT", "0");
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }

  private static Cli run(EntroqServer serving, Object... words) {
    List<Object> all = new ArrayList<>(List.of(words));
    // The default of five seconds can be too short on a busy machine.
    all.addAll(List.of("-s", "127.0.0.1:" + serving.port(), "--connect-timeout", "40s"));
    return Cli.run(all.toArray());
  }
}
