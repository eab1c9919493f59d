package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.SnapshotOfMember;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.SupportedLevels;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.service.admin.AdminService;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterScreenTest {
  private static final StatusResponse STATUS =
      StatusResponse.newBuilder()
          .setMemberId(1)
          .addMembers("a:9000")
          .addMembers("<b>:9000")
          .addMembers("c:9000")
          .setRole("FOLLOWER")
          .setLeaderId(0)
          .setCommitPosition(5_000)
          .setAppliedPosition(1_928)
          .setDiskFreeBytes(5L << 30)
          .setDiskBytes(10L << 30)
          .addMembersBehind(2)
          .setSnapshot(SnapshotOfMember.newBuilder().setAgeMs(3_600_000))
          .setState(StateOfMember.newBuilder().setLevel(10).setContentDigest(0xabcdL))
          .build();

  private final Member admin = new Member();

  @Test
  void shouldShowTheMembers() {
    try (ServedScreens screens = new ServedScreens(admin)) {
      assertThat(screens.page("/cluster"))
          .contains("&lt;b&gt;:9000", "Leader", "Follower, answers you", "Too far behind")
          .contains("3.0 KiB", "5.0 GiB", "of 10.0 GiB", "1 h", "000000000000abcd")
          .contains("Behavior level 10", "Take a snapshot");
      admin.status = STATUS.toBuilder().setLeaderId(-1).setDisagreements(2).build();
      assertThat(screens.page("/cluster"))
          .contains("knows no leader", "different states at 2 snapshots");
    }
  }

  @Test
  void shouldTakeASnapshot() {
    try (ServedScreens screens = new ServedScreens(admin)) {
      assertThat(screens.after(screens.act("snapshot", Map.of())))
          .contains("A snapshot has begun.");
      assertThat(admin.snapshots).isEqualTo(1);
    }
  }

  @Test
  void shouldSayThatThereIsNoCluster() {
    try (ServedScreens screens = new ServedScreens()) {
      assertThat(screens.page("/cluster"))
          .contains("There is no cluster to show: this server is not a member of a cluster.");
    }
  }

  /** A member that answers. */
  private static final class Member implements AdminService {
    private volatile StatusResponse status = STATUS;
    private volatile int snapshots;

    @Override
    public Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply) {
      reply.send(status);
      return Call.done();
    }

    @Override
    public Call takeSnapshot(
        CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply) {
      snapshots = 1;
      reply.send(TakeSnapshotResponse.getDefaultInstance());
      return Call.done();
    }

    @Override
    public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
      reply.send(
          LevelResponse.newBuilder()
              .setLevel(10)
              .addSupported(SupportedLevels.newBuilder().setMemberId(1).setMin(7).setMax(10))
              .build());
      return Call.done();
    }

    @Override
    public Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply) {
      throw new AssertionError();
    }

    @Override
    public Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply) {
      throw new AssertionError();
    }

    @Override
    public Call raiseLevel(
        CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
      throw new AssertionError();
    }

    @Override
    public Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply) {
      throw new AssertionError();
    }
  }
}
