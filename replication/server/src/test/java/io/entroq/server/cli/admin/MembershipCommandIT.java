package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.server.cli.Cli;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of members with commands, as the guide to running a cluster describes them. */
@Timeout(240)
class MembershipCommandIT {
  private static final Pattern STOPPED =
      Pattern.compile(
          "The members stop at position (\\d+): (record \\d+, digests \\w+ and \\w+)\\.\n");

  @TempDir private Path directory;

  @Test
  void shouldMakeThreeMembersOfOne() throws Exception {
    Matcher stop;
    try (ServedCluster one = new ServedCluster(directory, 1)) {
      awaitAll(one, "1 of 1");
      insert(one);
      setMembers(one, 0, "--position", 4096).assertFailed("is in use");
      stop = shutdown(one);
      one.stop(0);
      assertThatThrownBy(() -> one.start(0, false))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("Run `entroq set-members`");
    }
    try (ServedCluster three = ServedCluster.stopped(directory, 3)) {
      String position = stop.group(1);
      setMembers(three, 0).assertMisused("--position");
      setMembers(three, 0, "--position", position, "--reopen").assertMisused("exclusive");
      setMembers(three, 1, "--position", position).assertFailed("is not the directory of a member");
      setMembers(three, 0, "--position", position + "0").assertFailed("has no snapshot at");
      Cli.run(
              "set-members",
              "--data",
              three.data(0),
              "--id",
              0,
              "--members",
              "a:1,b:1",
              "--position",
              position)
          .assertMisused("a cluster has 1, 3, 5 or 7 members, not 2. More than half");
      copy(three.data(0), three.data(1));
      copy(three.data(0), three.data(2));
      for (int id = 0; id < 3; id++) {
        assertThat(setMembers(three, id, "--position", position).assertGood().out())
            .contains("is the directory of member " + id + " from position " + position)
            .contains(stop.group(2));
      }
      setMembers(three, 0, "--position", position).assertFailed("already: nothing to do");
      for (int id = 0; id < 3; id++) {
        three.start(id, false);
      }
      awaitAll(three, "3 of 3");
      assertThat(Cli.run("qs", "-s", three.address(2)).assertGood().out()).contains("inbox", "1");
    }
  }

  @Test
  @Tag("long")
  void shouldAddTwoMembersAndRemoveTwo() throws Exception {
    String position;
    try (ServedCluster three = new ServedCluster(directory, 3)) {
      awaitAll(three, "3 of 3");
      insert(three);
      three.stop(2);
      Cli.run("shutdown", "-s", three.addresses(), "--yes")
          .assertFailed("nothing was stopped: members [2] do not answer");
      three.start(2, false);
      awaitAll(three, "3 of 3");
      Cli.run("shutdown", "-s", "127.0.0.1:1", "--yes").assertFailed("No member answers");
      position = shutdown(three).group(1);
    }
    try (ServedCluster five = ServedCluster.stopped(directory, 5)) {
      copy(five.data(0), five.data(3));
      copy(five.data(1), five.data(4));
      for (int id = 0; id < 5; id++) {
        setMembers(five, id, "--position", position).assertGood();
      }
      for (int id = 0; id < 5; id++) {
        five.start(id, false);
      }
      awaitAll(five, "5 of 5");
      insert(five);
      // A member that is down is one of those to be removed.
      five.stop(4);
      until("four follow a leader", () -> isFollowed(five, "4 of 5"));
      Matcher stop = shutdown(five, "--allow-missing");
      position = stop.group(1);
    }
    try (ServedCluster three = ServedCluster.stopped(directory, 3)) {
      for (int id = 0; id < 3; id++) {
        setMembers(three, id, "--position", position).assertGood();
      }
      for (int id = 0; id < 3; id++) {
        three.start(id, false);
      }
      awaitAll(three, "3 of 3");
      assertThat(Cli.run("qs", "-s", three.address(2)).assertGood().out()).contains("inbox", "2");
    }
  }

  /** The lines that the command prints are in the guide, with other numbers. */
  private static void assertShownInGuide(String out) throws IOException {
    String guide = Files.readString(Path.of("..", "guides", "running-a-cluster.md"));
    assertThat(withoutPoint(guide)).contains(withoutPoint(out.indent(4)));
  }

  private static String withoutPoint(String text) {
    return text.replaceAll("position \\d+: record \\d+, digests \\w+…? and \\w+…?", "POINT");
  }

  private static Matcher shutdown(ServedCluster cluster, String... more) throws IOException {
    Object[] words =
        Stream.concat(Stream.of("shutdown", "-s", cluster.addresses(), "--yes"), Stream.of(more))
            .toArray();
    String out = Cli.run(words).assertGood().out();
    if (more.length == 0) {
      assertShownInGuide(out);
    }
    Matcher stop = STOPPED.matcher(out);
    assertThat(stop.lookingAt()).as(out).isTrue();
    return stop;
  }

  private static Cli setMembers(ServedCluster cluster, int id, Object... more) {
    List<Object> words =
        List.of(
            "set-members", "--data", cluster.data(id), "--id", id, "--members", cluster.members());
    return Cli.run(Stream.concat(words.stream(), Stream.of(more)).toArray());
  }

  private static void insert(ServedCluster cluster) {
    Cli.run("ins", "-s", cluster.addresses(), "-q", "inbox", "-v", "1").assertGood();
  }

  private static void awaitAll(ServedCluster cluster, String who) {
    until("all have a leader", () -> isFollowed(cluster, who));
  }

  private static boolean isFollowed(ServedCluster cluster, String who) {
    return Cli.run("members", "-s", cluster.addresses()).out().contains(who + " members follow it");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
