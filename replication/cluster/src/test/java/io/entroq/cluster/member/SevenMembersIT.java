package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seven members survive the loss of three, the leader among them each time. */
class SevenMembersIT {
  private static final int KILLS = 3;

  @TempDir Path directory;

  @Test
  @Tag("long")
  void shouldSurviveThreeKills() throws Exception {
    List<MemberAddress> seven = new UnusedPorts("127.0.0.1").members(7);
    try (TestCluster cluster =
        new TestCluster(directory, seven, UnaryOperator.identity()).bootstrap()) {
      for (int kills = 0; kills <= KILLS; kills++) {
        int leader = cluster.awaitLeader();
        cluster.queue(leader).modify(Modification.insert("inbox", "after " + kills)).orThrow();
        if (kills < KILLS) {
          cluster.kill(leader);
        }
      }
      IntStream.range(0, seven.size())
          .filter(id -> cluster.member(id) == null)
          .forEach(cluster::start);
      cluster.awaitLeader();
      cluster.awaitAgreement();
      assertThat(cluster.members()).hasSize(seven.size());
      assertThat(cluster.queue(0).queues(QueueQuery.all())).containsEntry("inbox", KILLS + 1L);
    }
  }
}
