package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Value;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All members stop at one position, and other members go on from there. */
class MembershipChangeIT {
  private static final String QUEUE = "kept";
  private static final int TASKS = 20;

  @TempDir Path directory;

  @Test
  @Tag("long")
  void shouldAddAndRemoveMembers() throws Exception {
    List<MemberAddress> five = new UnusedPorts("127.0.0.1").members(5);
    List<MemberAddress> three = five.subList(0, 3);
    ClusterMember.StopPoint stop;
    try (TestCluster cluster = clusterOf(three).bootstrap()) {
      insert(cluster);
      stop = stop(cluster);
      assertThat(stop.state().sequence()).isGreaterThanOrEqualTo(TASKS);

      assertThatThrownBy(() -> ClusterMember.start(cluster.config(0).build()))
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("was stopped to change its members");
    }
    assertThatThrownBy(() -> ClusterMember.start(clusterOf(five).config(0).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("is the directory of member 0 of 3, not of member 0 of 5")
        .hasMessageContaining("entroq set-members");
    assertThatThrownBy(() -> change(five, 0).apply(stop.position() - 32))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("has no snapshot at");
    copy(0, 4);
    for (int id : new int[] {0, 1, 2, 4}) {
      assertThat(change(five, id).apply(stop.position())).isEqualTo(stop.state());
    }
    copy(4, 3);
    assertThat(change(five, 3).apply(stop.position())).isEqualTo(stop.state());
    assertThatThrownBy(() -> change(five, 3).apply(stop.position()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("is the directory of member 3 of 5 already");
    assertThatThrownBy(() -> ClusterMember.start(clusterOf(three).config(0).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("is the directory of member 0 of 5, not of member 0 of 3");

    ClusterMember.StopPoint secondStop;
    try (TestCluster cluster = clusterOf(five)) {
      cluster.startAll();
      int leader = cluster.awaitLeader();
      assertThat(cluster.awaitAgreement()).isEqualTo(stop.state());
      assertThatThrownBy(() -> change(three, 0).apply(stop.position()))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("is in use");
      cluster.kill(leader);
      cluster.kill(cluster.follower(leader));
      cluster.awaitLeader();
      insert(cluster);
      IntStream.range(0, 5).filter(id -> cluster.member(id) == null).forEach(cluster::start);
      cluster.awaitLeader();
      cluster.awaitAgreement();
      secondStop = stop(cluster);
      assertThatThrownBy(() -> change(three, 0).apply(stop.position()))
          .as("where they stopped the first time")
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("has no snapshot at");
    }
    // The members 2, 3 and 4 remain, under other ids.
    Files.move(directory.resolve("member-0"), directory.resolve("removed"));
    Files.move(directory.resolve("member-1"), directory.resolve("removed-too"));
    for (int id = 0; id < 3; id++) {
      Files.move(directory.resolve("member-" + (id + 2)), directory.resolve("member-" + id));
      assertThat(change(three, id).apply(secondStop.position())).isEqualTo(secondStop.state());
    }
    assertThatThrownBy(
            () ->
                ClusterMember.start(MemberConfig.of(0, five, directory.resolve("removed")).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("was stopped to change its members");
    try (TestCluster cluster = clusterOf(three)) {
      cluster.startAll();
      cluster.awaitLeader();
      assertThat(cluster.awaitAgreement()).isEqualTo(secondStop.state());
      assertThat(cluster.queue(0).queues(QueueQuery.all())).containsEntry(QUEUE, 2L * TASKS);
      insert(cluster);
      assertThat(cluster.member(0).membersSince()).isEqualTo(secondStop.position());
    }
    assertThatThrownBy(() -> change(five, 0).apply(secondStop.position()))
        .as("a member that has been started since")
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("goes on after");
  }

  @Test
  @Tag("long")
  void shouldNotListenToMemberThatWasForgotten() throws Exception {
    List<MemberAddress> five = new UnusedPorts("127.0.0.1").members(5);
    List<MemberAddress> three = five.subList(0, 3);
    ClusterMember.StopPoint stop;
    try (TestCluster cluster = clusterOf(three).bootstrap()) {
      cluster.awaitLeader();
      int away = cluster.follower(cluster.awaitLeader());
      cluster.awaitAgreement();
      cluster.stop(away);
      insert(cluster);
      stop = stop(cluster);
      Files.move(cluster.directory(away), directory.resolve("forgotten"));
      Files.move(cluster.directory((away + 1) % 3), directory.resolve("stopped"));
      Files.move(cluster.directory((away + 2) % 3), directory.resolve("stopped-too"));
      assertThatThrownBy(
              () -> new MembershipChange(config(five, away, "forgotten")).apply(stop.position()))
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("was not stopped at");
      for (int id : new int[] {(away + 1) % 3, (away + 2) % 3, 3}) {
        copy(directory.resolve("stopped"), cluster.directory(id));
        assertThat(change(five, id).apply(stop.position())).isEqualTo(stop.state());
      }
      try (TestCluster changed = clusterOf(five);
          ClusterMember forgotten =
              ClusterMember.start(cluster.config(away, directory.resolve("forgotten")).build())) {
        for (int id : new int[] {(away + 1) % 3, (away + 2) % 3, 3}) {
          changed.start(id);
        }
        changed.awaitLeader();
        long term = changed.member(3).status().termId();
        insert(changed);
        assertThat(changed.awaitAgreement().sequence()).isGreaterThan(stop.state().sequence());
        assertThat(forgotten.status().hasLeader()).isFalse();
        assertThat(forgotten.status().appliedSequence()).isLessThan(stop.state().sequence());
        assertThat(changed.member(3).status().termId()).isEqualTo(term);
      }
    }
  }

  @Test
  void shouldGoOnWithTheSameMembers() throws Exception {
    List<MemberAddress> one = new UnusedPorts("127.0.0.1").members(1);
    StateDigest stopped;
    try (TestCluster cluster = clusterOf(one).bootstrap()) {
      insert(cluster);
      stopped = stop(cluster).state();
    }
    change(one, 0).reopen();
    try (TestCluster cluster = clusterOf(one)) {
      cluster.startAll();
      cluster.awaitLeader();
      assertThat(cluster.awaitAgreement()).isEqualTo(stopped);
    }
  }

  @Test
  @Tag("long")
  void shouldGoOnWithAMemberThatHasNotAppliedTheRequest() throws Exception {
    List<MemberAddress> three = new UnusedPorts("127.0.0.1").members(3);
    StateDigest stopped;
    try (TestCluster cluster = clusterOf(three).bootstrap()) {
      int away = cluster.follower(cluster.awaitLeader());
      cluster.awaitAgreement();
      cluster.stop(away);
      insert(cluster);
      stopped = stop(cluster).state();
    }
    for (int id = 0; id < three.size(); id++) {
      change(three, id).reopen();
    }
    try (TestCluster cluster = clusterOf(three)) {
      cluster.startAll();
      int leader = cluster.awaitLeader();
      assertThat(cluster.awaitAgreement()).isEqualTo(stopped);
      cluster.kill(leader);
      cluster.awaitLeader();
      insert(cluster);
      assertThat(cluster.awaitAgreement().sequence()).isGreaterThan(stopped.sequence());
    }
  }

  private TestCluster clusterOf(List<MemberAddress> members) {
    return new TestCluster(directory, members, UnaryOperator.identity());
  }

  private MembershipChange change(List<MemberAddress> members, int id) {
    return new MembershipChange(config(members, id, "member-" + id));
  }

  private MemberConfig config(List<MemberAddress> members, int id, String name) {
    return MemberConfig.of(id, members, directory.resolve(name)).build();
  }

  private static void insert(TestCluster cluster) {
    int leader = cluster.awaitLeader();
    for (int i = 0; i < TASKS; i++) {
      cluster
          .queue(leader)
          .modify(Modification.insert(Insert.into(QUEUE).withValue(Value.bytes(new byte[100]))))
          .orThrow();
    }
  }

  /** Stops all that run. */
  private static ClusterMember.StopPoint stop(TestCluster cluster) {
    List<ClusterMember> all = cluster.members().toList();
    ClusterMember.StopPoint point = cluster.member(cluster.awaitLeader()).stopCluster().join();
    assertThat(all).allSatisfy(member -> assertThat(member.ended().join()).isNull());
    cluster.close();
    return point;
  }

  private void copy(int from, int to) throws IOException {
    copy(directory.resolve("member-" + from), directory.resolve("member-" + to));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
