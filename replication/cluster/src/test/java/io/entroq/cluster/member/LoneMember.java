package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.cluster.mirror.MirrorState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A cluster of one member. */
final class LoneMember implements AutoCloseable {
  private static final int END_SECONDS_MAX = 30;

  private final Path directory;
  private final List<MemberAddress> addresses = new UnusedPorts("127.0.0.1").members(1);
  private ClusterMember member;

  LoneMember(Path directory) throws IOException {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  LoneMember bootstrap() {
    return start(settings -> settings.bootstrap(true));
  }

  LoneMember start() {
    return start(UnaryOperator.identity());
  }

  LoneMember start(UnaryOperator<MemberConfig.Builder> settings) {
    assertThat(member).isNull();
    member =
        ClusterMember.start(
            settings
                .apply(
                    MemberConfig.of(0, addresses, directory)
                        .durability(Durability.OS)
                        .liveness(Liveness.withHeartbeatTimeout(TestCluster.HEARTBEAT_TIMEOUT)))
                .build());
    return this;
  }

  ClusterMember member() {
    return member;
  }

  void awaitLeader() {
    Await.until("it leads", () -> member.status().isLeader() && member.status().hasLeader());
  }

  /** Waits until the mirror has all applied records. */
  void awaitMirror() {
    Await.until(
        "the mirror holds all",
        () ->
            member.mirror().state() == MirrorState.FOLLOWING
                && member.mirror().writtenSequence() == member.status().appliedSequence());
  }

  /** Takes a snapshot of the cluster and waits for it. */
  void snapshot() {
    AtomicLong before = new AtomicLong();
    // A member that has just begun to lead, or takes another snapshot, cannot take one yet.
    Await.until(
        "it can take a snapshot",
        () -> {
          before.set(member.status().snapshots());
          return member.takeSnapshot();
        });
    Await.until(
        "there is a snapshot with its image",
        () -> member.status().snapshots() > before.get() && !member.isWritingImage());
  }

  void stop() {
    ClusterMember old = member;
    member = null;
    old.close();
  }

  /** Waits until the member ends by itself. */
  Throwable awaitEnd() {
    Throwable why = member.ended().orTimeout(END_SECONDS_MAX, TimeUnit.SECONDS).join();
    member = null;
    return why;
  }

  @Override
  public void close() {
    if (member != null) {
      stop();
    }
  }
}
