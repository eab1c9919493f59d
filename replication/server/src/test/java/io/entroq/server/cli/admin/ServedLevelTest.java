package io.entroq.server.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.SupportedLevels;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.TestLevel;
import io.entroq.server.cli.Cli;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Showing and raising the behavior level of a server or a cluster. */
class ServedLevelTest {
  private static final int OLD = Levels.MAX;
  private static final int NEW = TestLevel.LEVEL;

  @TempDir private Path directory;
  private final TestLevel supported = TestLevel.support();

  @AfterEach
  void supportNoMore() {
    supported.close();
  }

  @Test
  void shouldShowAndRaiseLevelOfServer() {
    try (EntroqServer serving = start(Map.of("ENTROQ_DATA", directory.toString()))) {
      String address = "127.0.0.1:" + serving.port();
      String log = "The log at " + address;
      assertThat(level(address).assertGood().out())
          .isEqualTo(
              log
                  + " is at behavior level 11; its build supports up to "
                  + NEW
                  + "; --raise raises it.\n");
      level(address, "--raise=1", "--yes").assertFailed("the log at", "its build supports 7 to 12");
      level(address, "--raise=" + (NEW + 1)).assertFailed("Cannot set behavior level");
      Cli unconfirmed = level(address, "--raise");
      assertThat(unconfirmed.status()).isEqualTo(2);
      assertThat(unconfirmed.err()).contains("cannot be undone", "Nothing was changed. Add --yes");
      assertThat(level(address, "--raise", "--yes").assertGood().out())
          .isEqualTo(log + ": behavior level raised from 11 to " + NEW + ".\n");
      assertThat(level(address, "--raise", "--yes").assertGood().out()).contains("already");
      assertThat(level("127.0.0.1:1," + address).assertGood().out())
          .isEqualTo(
              log + " is at behavior level %d; its build supports up to %1$d.\n".formatted(NEW));
    }
    assertThat(Cli.run("level", directory).assertGood().out()).contains("level " + NEW);
  }

  @Test
  void shouldNotRaiseToLevelThatAMemberDoesNotSupport() throws Exception {
    LevelResponse.Builder answer = LevelResponse.newBuilder().setLevel(3).setMembers(3);
    answer.addSupported(supported(0, 1, 5)).addSupported(supported(2, 1, 4));
    try (MemberDouble member = new MemberDouble().says(answer.build())) {
      assertThat(level(member.address()).assertGood().out().lines())
          .containsExactly(
              "The cluster is at behavior level 3; it cannot be raised until all members report"
                  + " their levels.",
              "Member 0 supports 1 to 5.",
              "Member 2 supports 1 to 4.",
              "Member 1 has not reported its levels: it is away, did not answer in time (try again),"
                  + " or its build is too old to answer.");
      level(member.address(), "--raise=5", "--yes")
          .assertFailed(
              "Behavior level 5 is not possible: the cluster is at 3",
              "member 2 supports 1 to 4, member 1 did not answer");
      // As if it had nothing to say.
      member.says(answer.addSupported(supported(1, 4, 3)).build());
      level(member.address(), "--raise=4").assertFailed("member 1 did not answer");

      member.says(answer.addSupported(supported(1, 1, 4)).build());
      assertThat(level(member.address()).assertGood().out())
          .startsWith(
              "The cluster is at behavior level 3; all members support up to 4; --raise raises"
                  + " it.\n");
      Cli lost = level(member.address(), "--raise=4", "--yes");
      lost.assertFailed("It is unknown whether the level was raised");
      assertThat(level(member.address(), "--raise=4").status()).isEqualTo(2);
      member.says(LevelResponse.getDefaultInstance());
      level(member.address()).assertFailed("has no records yet");
    }
  }

  private static SupportedLevels supported(int member, int min, int max) {
    return SupportedLevels.newBuilder().setMemberId(member).setMin(min).setMax(max).build();
  }

  @Test
  void shouldExplainWhyLevelIsUnknown() throws Exception {
    Cli.run("level").assertMisused("missing target");
    Cli.run("level", directory, "-s", "a:1").assertMisused("not both");
    Cli.run("level", directory, "--tls-ca", "ca.pem").assertMisused("give -s");
    Cli.run("level", "-s", "a:1", "--durability", "disk").assertMisused("not to -s");
    level("127.0.0.1:1").assertFailed("no answer from");
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving =
            start(
                Map.of(
                    "ENTROQ_DATA",
                    directory.toString(),
                    "ENTROQ_AUTHZ",
                    "opahttp",
                    "ENTROQ_OPA_URL",
                    opa.url()))) {
      String address = "127.0.0.1:" + serving.port();
      level(address).assertFailed("denied");
      level(address, "--authz_token", "token-of-ann").assertFailed("denied");
      level(address, "--raise", "--yes", "--authz_token", "token-of-root").assertGood();
    }
    try (EntroqServer memory = start(Map.of())) {
      level("127.0.0.1:" + memory.port()).assertFailed("in memory");
    }
  }

  private static Cli level(String address, Object... words) {
    List<Object> all = new ArrayList<>(List.of("level", "-s", address, "--connect-timeout", "30s"));
    all.addAll(List.of(words));
    return Cli.run(all.toArray());
  }

  private static EntroqServer start(Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("ENTROQ_HOST", "127.0.0.1");
    environment.put("ENTROQ_PORT", "0");
    environment.put("ENTROQ_HTTP_PORT", "0");
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }
}
