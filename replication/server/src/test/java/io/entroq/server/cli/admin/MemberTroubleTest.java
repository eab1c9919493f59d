package io.entroq.server.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operator commands on members that fail during the request. */
class MemberTroubleTest {
  /** Where nobody listens. */
  private static final String GONE = "127.0.0.1:1";

  private static final String MEMBERS = "127.0.0.1:11200,127.0.0.1:11210,127.0.0.1:11220";

  @TempDir private Path temporary;

  private MemberDouble first;
  private MemberDouble second;

  @BeforeEach
  void begin() throws IOException {
    first = new MemberDouble();
    second = new MemberDouble();
  }

  @AfterEach
  void end() {
    first.close();
    second.close();
  }

  private static Cli run(Object... words) {
    // The default of five seconds can be too short on a busy machine.
    return Cli.run(
        Stream.concat(Arrays.stream(words), Stream.of("--connect-timeout", "40s")).toArray());
  }

  private Cli snapshot(String timeout) {
    String all = first.address() + "," + second.address();
    return run("snapshot", "-s", all, "--timeout", timeout);
  }

  @Test
  void shouldTryNextMemberIfSnapshotIsCertainlyNotTaken() {
    first.has(1, 10);
    second.has(1, 10).takesSnapshots(1).has(2, 20);
    assertThat(snapshot("1m").assertGood().out()).contains("at 20,");
  }

  @Test
  void shouldWaitForSnapshotWhileMemberIsUnavailable() {
    first.has(1, 10).takesSnapshots(1).has(1, 10).isUnavailable().isBusy().has(2, 20);
    second.has(1, 10).takesSnapshots(1);
    assertThat(snapshot("1m").assertGood().out()).contains("at 20,");
    assertThat(second.snapshotRequests()).isZero();
  }

  @Test
  void shouldWaitForSnapshotWhileMemberRestarts() {
    first.has(3, 10).takesSnapshots(3).isUnavailable().has(0, 10).has(0, 20);
    second.has(1, 10).takesSnapshots(1);
    assertThat(snapshot("1m").assertGood().out()).contains("at 20,");
    assertThat(second.snapshotRequests()).isZero();
  }

  @Test
  void shouldNotRequestSecondSnapshotAfterLostReply() {
    first.has(1, 10).losesReplies().has(1, 10).has(2, 20);
    second.has(1, 10).takesSnapshots(1);
    assertThat(snapshot("1m").assertGood().out()).contains("at 20,");
    assertThat(second.snapshotRequests()).isZero();
  }

  @Test
  void shouldReportRequestedSnapshotThatIsNotConfirmed() {
    first.has(1, 10).takesSnapshots(1);
    snapshot("100ms")
        .assertFailed("was requested, but not reported after 100ms;", "the log of member 0");
    first.isUnavailable();
    snapshot("100ms").assertFailed("no answer from " + first.address());
    assertThat(second.snapshotRequests()).isZero();
  }

  @Test
  void shouldDistinguishBusyLeaderFromOneWithoutState() {
    first.says(leader().build());
    second.says(leader().setMemberId(1).build());
    replace(MEMBERS)
        .assertFailed("the leader, member 0, has no state yet or is busy: run the command again");
  }

  @Test
  void shouldReplaceMemberAtAnotherAddressButAcceptNoOtherDifference() {
    first.says(leader().build());
    second.says(leader().setMemberId(1).build());
    replace("127.0.0.1:11200,127.0.0.1:11210,127.0.0.1:11290").assertFailed("has no state yet");
    replace("127.0.0.1:11200,127.0.0.1:11290,127.0.0.1:11220")
        .assertFailed("Only the address of the lost member may differ");
    replace(MEMBERS + ",127.0.0.1:11230,127.0.0.1:11240")
        .assertFailed("Only the address of the lost member may differ");
  }

  private Cli replace(String members) {
    return run(
        "replace-member",
        "--id",
        2,
        "--members",
        members,
        "--data",
        temporary.resolve("data"),
        "-s",
        first.address() + "," + second.address());
  }

  @Test
  void shouldStopNothingWhileMembersAreMissing() {
    first.says(leader().build());
    second.says(leader().setMemberId(1).setTerm(2).build());
    second.says(leader().setMemberId(1).build());
    String all = first.address() + "," + second.address() + "," + GONE;
    run("shutdown", "-s", all, "--yes").assertFailed("1 of 3 members follow it: no majority");
    run("shutdown", "-s", all, "--yes")
        .assertFailed(
            "nothing was stopped: members [2] do not answer or do not follow",
            "add --allow-missing to go on without them; no answer from " + GONE);
    assertThat(first.stopRequests()).isZero();
  }

  @Test
  void shouldStopNothingUnlessAllMembersAreGiven() {
    first.says(leader().build());
    second.says(leader().setMemberId(1).build());
    String two = first.address() + "," + second.address();
    run("shutdown", "-s", two, "--yes", "--allow-missing")
        .assertFailed("nothing was stopped: give all 3 members with -s, 2 were given");
    assertThat(first.stopRequests()).isZero();
  }

  @Test
  void shouldStopNothingUnlessConfirmed() {
    first.says(leader().build());
    second.says(leader().setMemberId(1).build());
    Cli explained = shutdown("1m");
    assertThat(explained.err())
        .contains("none starts again before `entroq set-members`", "with SIGTERM instead")
        .endsWith("Nothing was changed. Add --yes to stop them.\n");
    assertThat(explained.status()).isEqualTo(2);
    assertThat(explained.out()).isEmpty();
    assertThat(first.stopRequests()).isZero();
  }

  @Test
  void shouldNotTakeABusyMemberForOneThatHasEnded() {
    first.says(leader().build()).isUnavailable();
    StatusResponse follows = leader().setMemberId(1).build();
    second.says(follows).isUnavailable().isUnavailable().says(follows).isBusy();
    shutdown("1s", "--yes").assertFailed("not known to have ended after 1s: ", second.address());
  }

  @Test
  void shouldNotTakeASlowMemberForOneThatHasEnded() {
    first.says(leader().build()).isUnavailable();
    second.says(leader().setMemberId(1).build()).isSlow();
    shutdown("1s", "--yes").assertFailed("not known to have ended after 1s: ", second.address());
  }

  @Test
  void shouldWaitUntilAllHaveEnded() {
    first.says(leader().build()).isUnavailable();
    second.says(leader().setMemberId(1).build()).isBusy().isSlow().isUnavailable();
    assertThat(shutdown("1m", "--yes").assertGood().out())
        .startsWith("The members stop at position 73728:")
        .contains("Missing: members [2].", "All have ended.")
        .endsWith("use a copy of the directory of a member that it accepts.\n")
        .as("a follower may have failed to take its snapshot")
        .doesNotContain("have stopped");
    assertThat(second.stopRequests()).isZero();
  }

  private Cli shutdown(String timeout, String... more) {
    String all = first.address() + "," + second.address() + "," + GONE;
    List<Object> words = List.of("shutdown", "-s", all, "--timeout", timeout, "--allow-missing");
    return run(Stream.concat(words.stream(), Stream.of(more)).toArray());
  }

  @Test
  void shouldNameMemberWhoseClockIsWrongAsTheGuideShows() throws IOException {
    try (MemberDouble third = new MemberDouble()) {
      first.says(follower(0, 61_400));
      second.says(follower(1, 61_900));
      third.says(leader().setMemberId(2).setLeaderId(2).build());
      String all = first.address() + "," + second.address() + "," + third.address();
      String shown =
          run("members", "-s", all).out().lines().skip(5).collect(Collectors.joining("\n    "));
      assertThat(shown).contains("member 2, the leader, is 61 s ahead of that of member 1");
      assertThat(Files.readString(Path.of("..", "guides", "running-a-cluster.md")))
          .contains("    " + shown);
    }
  }

  private static StatusResponse follower(int id, long leaderAheadMs) {
    return leader()
        .setRole("FOLLOWER")
        .setMemberId(id)
        .setLeaderId(2)
        .setLeaderAheadMs(leaderAheadMs)
        .build();
  }

  @Test
  void shouldNotCountUnnamedMembersAsMissing() {
    first.says(leader().build());
    assertThat(run("members", "-s", first.address()).out())
        .endsWith("1 of 3 members follow it: no majority. 2 were not asked.\n");
    second.says(leader().setMemberId(1).build());
    assertThat(run("members", "-s", first.address() + "," + second.address()).out())
        .endsWith("2 of 3 members follow it: a majority. 1 was not asked.\n");
  }

  @Test
  void shouldTellByExitStatusWhetherAllOrMostOrTooFewMembersWork() throws IOException {
    try (MemberDouble third = new MemberDouble()) {
      String all = first.address() + "," + second.address() + "," + third.address();
      first.says(leader().build());
      StatusResponse follows = leader().setMemberId(1).build();
      second.says(follows).says(follows).isUnavailable();
      third.says(leader().setMemberId(2).build()).isUnavailable();
      assertThat(run("members", "-s", all).status()).isZero();
      assertThat(run("members", "-s", all).status()).isEqualTo(4);
      assertThat(run("members", "-s", all).status()).isEqualTo(1);
    }
  }

  private static StatusResponse.Builder leader() {
    StatusResponse.Builder status =
        StatusResponse.newBuilder().setRole("LEADER").setElection("CLOSED").setTerm(3);
    for (String member : MEMBERS.split(",", -1)) {
      status.addMembers(member);
    }
    return status;
  }
}
