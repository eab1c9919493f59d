package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.DirectoryLock;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes of new users. */
class NodeCommandTest {
  private static final String MEMBERS = "127.0.0.1:11200,127.0.0.1:11210,127.0.0.1:11220";

  @TempDir private Path temporary;

  @Test
  void shouldRejectDirectoryThatIsNotAMembers() throws Exception {
    Path data = temporary.resolve("data");
    node(data, 0).assertFailed("There is no member in " + data);
    Files.createDirectory(data);
    node(data, 0).assertFailed("If the cluster starts for the first time, add --bootstrap");
    try (EntroQ engine = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build())) {
      assertThat(engine).isNotNull();
      node(data, 0, "--bootstrap").assertFailed("is in use by another engine of this process");
    }
    node(data, 0, "--bootstrap").assertFailed("is the directory of an engine");
  }

  @Test
  void shouldRejectDirectoryOfAnotherMember() throws Exception {
    Path data = temporary.resolve("data");
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      String members = "127.0.0.1:%d,127.0.0.1:11210,127.0.0.1:11220".formatted(port);
      run(data, 0, members, "--bootstrap")
          .assertFailed("cannot listen on 127.0.0.1:%d (UDP), a port of".formatted(port));
    }
    node(data, 1).assertFailed(data + " is the directory of member 0 of 3, not of member 1 of 3");
    try (DirectoryLock lock = DirectoryLock.acquire(data, ProcessHandle.current().pid())) {
      assertThat(lock).isNotNull();
      node(data, 0).assertFailed(data + " is in use by another engine");
    }
    Cli.run("serve", "--data", data, "--port", "0", "--http-port", "0")
        .assertFailed(data + " is the directory of a cluster member");
    Cli.run("cluster", "--data", data).assertFailed(data + " is the directory of a single member");
  }

  @Test
  void shouldReportMissingAndInvalidSettings() {
    Cli.run("node").assertMisused("--id or ENTROQ_ID is required");
    Cli.run("node", "--id", "0", "--members", MEMBERS)
        .assertMisused("--data or ENTROQ_DATA is required");
    node(temporary, 3).assertMisused("--id: there is no member 3; with 3 members, ids are 0 to 2");
    run(temporary, 0, "a:1,b:1")
        .assertMisused("--members: lists 2 member(s); a cluster has 3, 5 or 7");
    run(temporary, 0, "nowhere.invalid:1,b.invalid:1,c.invalid:1", "--bootstrap")
        .assertFailed("unknown host nowhere.invalid in this member's address");
    node(temporary, 0, "--journal", "j").assertMisused("Unknown option --journal");
  }

  @Test
  void shouldRefusePublicAddressesUnlessTold() {
    Path data = temporary.resolve("data");
    String members = "198.51.100.1:11200,127.0.0.1:11210,127.0.0.1:11220";
    Cli refused = run(data, 0, members, "--bootstrap");
    refused.assertFailed("--members: public addresses without WireGuard: 198.51.100.1.");
    refused.assertFailed("--allow-public-members");
    assertThat(data).doesNotExist();
    run(data, 0, members, "--bootstrap", "--allow-public-members")
        .assertFailed("cannot listen on 198.51.100.1:11200 (UDP)");
  }

  private static Cli node(Path data, int id, String... options) {
    return run(data, id, MEMBERS, options);
  }

  private static Cli run(Path data, int id, String members, String... options) {
    Object[] words = new Object[options.length + 7];
    Object[] first = {"node", "--id", id, "--members", members, "--data", data};
    System.arraycopy(first, 0, words, 0, first.length);
    System.arraycopy(options, 0, words, first.length, options.length);
    return Cli.run(words);
  }
}
