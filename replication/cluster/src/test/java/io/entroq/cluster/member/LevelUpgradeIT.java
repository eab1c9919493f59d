package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSupport;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.TestLevel;
import io.entroq.engine.state.UnsupportedLevelException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The behavior level of a cluster is raised once all members support it, and never lowered. */
class LevelUpgradeIT {
  private static final int OLD = Levels.MAX;
  private static final int NEW = TestLevel.LEVEL;
  private static final LevelRange OLDER = new LevelRange(Levels.MIN, OLD);

  @TempDir private Path directory;
  private final TestLevel supported = TestLevel.support();

  @AfterEach
  void supportNoMore() {
    supported.close();
  }

  @Test
  void shouldRaiseTheLevelForGood() throws Exception {
    Path data = directory.resolve("member");
    try (LoneMember lone = new LoneMember(data).bootstrap()) {
      lone.awaitLeader();
      lone.member().queue().modify(Modification.insert("inbox", "before")).orThrow();
      CompletableFuture<LevelSupport> raised = lone.member().raiseLevel(NEW);
      CompletableFuture<LevelSupport> other = lone.member().raiseLevel(NEW);
      CompletableFuture.allOf(raised, other).join();
      LevelSupport before = raised.join();
      assertThat(before.level()).isEqualTo(OLD);
      assertThat(before.supported()).isEqualTo(Map.of(0, LevelRange.ofThisBuild()));
      assertThat(lone.member().levels().join().level()).isEqualTo(NEW);
      assertRefused(lone.member().raiseLevel(OLD), "it cannot be lowered");
      assertRefused(
          lone.member().raiseLevel(NEW + 1), "member 0 supports " + Levels.MIN + " to " + NEW);
      long sequence = lone.member().state().join().sequence();
      assertThat(lone.member().raiseLevel(NEW).join().level()).isEqualTo(NEW);
      assertThat(lone.member().state().join().sequence()).as("nothing to do").isEqualTo(sequence);
      lone.stop();
      lone.start().awaitLeader();
      lone.member().queue().modify(Modification.insert("inbox", "after")).orThrow();
      assertThat(lone.member().state().join().level()).isEqualTo(NEW);
    }
  }

  /** Like a member that was replaced by an older build after it had answered. */
  @Test
  void shouldEndWhereItsBuildCannotFollowAndLeaveAllAsItIs() throws Exception {
    Path data = directory.resolve("member");
    try (LoneMember lone = new LoneMember(data).bootstrap()) {
      lone.awaitLeader();
      lone.member().queue().modify(Modification.insert("inbox", "before")).orThrow();
      lone.snapshot();
      PoisonedCommand.sendLevel(lone.member(), NEW + 1);
      assertCannotFollow(lone.awaitEnd());
      lone.start();
      assertCannotFollow(lone.awaitEnd());
      assertThat(data.resolve("mirror-set-aside")).doesNotExist();
    }
  }

  private static void assertCannotFollow(Throwable end) {
    assertThat(end)
        .isInstanceOf(UnsupportedLevelException.class)
        .hasMessageContaining("the log asks for behavior level " + (NEW + 1))
        .hasMessageContaining("open it with a build that supports level " + (NEW + 1));
  }

  @Test
  @Tag("long")
  void shouldRaiseOnlyWhatAllSupportThatAreThere() throws Exception {
    LevelRange[] said = {LevelRange.ofThisBuild()};
    try (TestCluster cluster = new TestCluster(directory, settings -> settings.levels(said[0]))) {
      for (int id = 0; id < TestCluster.MEMBERS; id++) {
        said[0] = id == 2 ? OLDER : LevelRange.ofThisBuild();
        cluster.bootstrap(id);
      }
      cluster.awaitLeader();
      ClusterMember asked = cluster.member(1);
      awaitAllHeard(asked);
      assertRefused(asked.raiseLevel(NEW), "member 2 supports " + OLDER);
      cluster.stop(2);
      cluster.awaitLeader();
      assertRefused(asked.raiseLevel(NEW), "member 2 did not answer");

      said[0] = LevelRange.ofThisBuild();
      cluster.start(2);
      cluster.awaitLeader();
      awaitAllHeard(asked);
      CompletableFuture<LevelSupport> other = cluster.member(2).raiseLevel(NEW);
      CompletableFuture<LevelSupport> raised = asked.raiseLevel(NEW);
      CompletableFuture<LevelSupport> again = asked.raiseLevel(NEW);
      CompletableFuture.allOf(other, raised, again).join();
      cluster.queue(0).modify(Modification.insert("inbox", "after")).orThrow();
      cluster.awaitAgreement();
      assertThat(cluster.members().map(member -> member.state().join().level())).containsOnly(NEW);
      assertThat(cluster.queue(2).queues(QueueQuery.all())).containsEntry("inbox", 1L);
    }
  }

  private static void awaitAllHeard(ClusterMember asked) {
    Await.until("all are heard", () -> asked.levels().join().silent().isEmpty());
  }

  private static void assertRefused(CompletableFuture<LevelSupport> raise, String why) {
    assertThatThrownBy(raise::join)
        .cause()
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining(why);
  }
}
