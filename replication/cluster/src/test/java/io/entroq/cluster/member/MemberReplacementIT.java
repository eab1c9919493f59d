package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.engine.Trees;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that has lost its disk returns with a copy of the leader's data. */
class MemberReplacementIT {
  private static final int TASKS = 6;
  private static final int VALUE_BYTES = 500_000;

  @TempDir Path directory;

  @Test
  void shouldTellHowMuchOfSnapshotHasCome() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      for (int i = 0; i < TASKS; i++) {
        cluster
            .queue(leader)
            .modify(
                Modification.insert(
                    Insert.into("kept").withValue(Value.bytes(new byte[VALUE_BYTES]))))
            .orThrow();
      }
      assertThat(cluster.member(leader).takeSnapshot()).isTrue();
      Await.until(
          "the leader has a snapshot",
          () -> cluster.member(leader).retention().snapshotPosition() > 0);

      int lost = cluster.follower(leader);
      cluster.stop(lost);
      Trees.delete(cluster.directory(lost));
      Map<String, Long> mostBytes = new HashMap<>();
      new MemberReplacement(
              cluster.config(lost).build(),
              (phase, done, total) -> mostBytes.merge(phase, done, Math::max))
          .run(healthy(cluster.member(leader)));
      assertThat(mostBytes.get("copying snapshot")).isPositive();

      cluster.start(lost);
      cluster.awaitLeader();
      assertThat(cluster.awaitAgreement().sequence()).isGreaterThanOrEqualTo(TASKS);
    }
  }

  private static MemberReplacement.Source healthy(ClusterMember leader) {
    MemberStatus status = leader.status();
    MemberState state = leader.state().join();
    return new MemberReplacement.Source(
        status.memberId(),
        status.termId(),
        status.commitPosition(),
        state.clusterIdHigh(),
        state.clusterIdLow());
  }
}
