package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.server.cli.Cli;
import io.entroq.service.tls.TestCertificates;
import io.entroq.service.tls.TestCertificates.Pair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What members copy to each other goes over TLS, and only to who has a certificate of theirs. */
@Timeout(180)
class CopiesOverTlsIT {
  @TempDir private Path directory;

  private Pair members;
  private Pair stranger;

  @BeforeEach
  void readCertificates() throws Exception {
    members = TestCertificates.ready(directory, "server");
    stranger = TestCertificates.ready(directory, "client");
  }

  @Test
  void shouldBackUpOnlyWithTheMembersCertificate() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, 1, settings())) {
      String address = cluster.address(0);
      run(as(members), "ins", "-s", address, "-q", "inbox", "-v", "1").assertGood();
      run(as(members), "snapshot", "-s", address).assertGood();
      Path backup = directory.resolve("backup");
      refused(address, "backup", "-s", address, backup);
      assertThat(backup).doesNotExist();
      JsonNode made = run(as(members), "backup", "-s", address, backup).assertGood().json();
      assertThat(made.get("tasks").asInt()).isEqualTo(1);
    }
  }

  /** The image comes from a follower: the leader is asked last. */
  @Test
  @Tag("long")
  void shouldReplaceLostMemberOnlyWithTheMembersCertificate() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, 3, settings())) {
      String all = cluster.addresses();
      until("all have a leader", () -> run(as(members), "members", "-s", all).status() == 0);
      run(as(members), "ins", "-s", all, "-q", "inbox", "-v", "\"before\"").assertGood();
      run(as(members), "snapshot", "-s", all).assertGood();
      run(as(members), "ins", "-s", all, "-q", "inbox", "-v", "\"after\"").assertGood();
      int leader =
          run(as(members), "status", "--json", "-s", cluster.address(0))
              .json()
              .get("leader")
              .asInt();
      int lost = (leader + 1) % 3;
      cluster.stop(lost);
      Files.move(cluster.data(lost), directory.resolve("set-aside"));
      Object[] replace = {
        "replace-member",
        "--id",
        lost,
        "--members",
        cluster.members(),
        "--data",
        cluster.data(lost),
        "-s",
        cluster.addresses((leader + 2) % 3, leader)
      };
      refused("", replace);
      run(as(members), replace).assertGood();
      assertThat(cluster.data(lost).resolve("images/snapshots")).isNotEmptyDirectory();
      cluster.start(lost, false);
      until("all have a leader", () -> run(as(members), "members", "-s", all).status() == 0);
      until(
          "it has both",
          () ->
              run(as(members), "qs", "-s", cluster.address(lost))
                  .out()
                  .matches("(?s).*inbox.*\\b2\\b.*"));
    }
  }

  @Test
  void shouldCopyNothingFromAnotherMachineWithoutTls() {
    // A name without an address is no loopback address.
    String plain = "would be copied from a.invalid:1 without encryption. Use TLS";
    Path target = directory.resolve("target");
    Cli.run("backup", "-s", "127.0.0.1:1,a.invalid:1", target).assertMisused(plain);
    Cli.run("backup", "-s", "a.invalid:1", "--insecure-copies", "--connect-timeout", "1s", target)
        .assertFailed("a.invalid");
    Cli.run("backup", "-s", "a.invalid:1", "-S", "--connect-timeout", "1s", target)
        .assertFailed("a.invalid");
    String[] replace = {
      "replace-member", "--id", "0", "--members", "a:1,b:1,c:1", "--data", target.toString()
    };
    Cli.run(words("2s", replace, "-s", "a.invalid:1")).assertMisused(plain);
    Cli.run(words("2s", replace, "-s", "a.invalid:1", "--insecure-copies"))
        .assertFailed("a.invalid");
    assertThat(target).doesNotExist();
  }

  /** In plain text, without a certificate, with a stranger's, and if the server is a stranger. */
  private void refused(String address, Object... command) {
    List<List<Object>> identities =
        List.of(
            List.of(),
            List.of("--tls-ca", members.certificate()),
            List.of(
                "--tls-ca",
                members.certificate(),
                "--tls-cert",
                stranger.certificate(),
                "--tls-key",
                stranger.key()),
            as(stranger));
    for (List<Object> identity : identities) {
      Cli.run(words("2s", command, identity.toArray())).assertFailed(address);
    }
  }

  private static List<Object> as(Pair own) {
    return List.of(
        "--tls-ca", own.certificate(), "--tls-cert", own.certificate(), "--tls-key", own.key());
  }

  private static Cli run(List<Object> identity, Object... command) {
    return Cli.run(words("40s", command, identity.toArray()));
  }

  private static Object[] words(String connectTimeout, Object[] command, Object... more) {
    List<Object> words = new ArrayList<>(Arrays.asList(command));
    words.addAll(1, Arrays.asList(more));
    words.addAll(1, List.of("--connect-timeout", connectTimeout));
    return words.toArray();
  }

  /** Members have one certificate, and admit only who has it too. */
  private Map<String, String> settings() {
    return Map.of(
        "ENTROQ_TLS_CERT",
        members.certificate().toString(),
        "ENTROQ_TLS_KEY",
        members.key().toString(),
        "ENTROQ_TLS_CLIENT_CA",
        members.certificate().toString());
  }
}
