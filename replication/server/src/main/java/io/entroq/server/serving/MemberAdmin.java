package io.entroq.server.serving;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberState;
import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.codec.wire.published.admin.BackupRequest;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.codec.wire.published.admin.ImageRequest;
import io.entroq.codec.wire.published.admin.ImageResponse;
import io.entroq.codec.wire.published.admin.LevelRequest;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.StopRequest;
import io.entroq.codec.wire.published.admin.StopResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.service.admin.AdminService;
import io.entroq.service.admin.BackupSender;
import io.entroq.service.admin.ImageSender;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Admin requests to a cluster member. Any thread. */
final class MemberAdmin implements AdminService {
  /** A member reads its state between two commands. If it is busy for longer, omit the state. */
  private static final long STATE_MAX_MS = 1_000;

  private static final String NO_SNAPSHOT =
      "no snapshot can be taken now: another one is being taken, or the leader is not ready yet";

  /** Concurrent status requests: more than operators need, few enough to bound the work. */
  static final int STATUS_REQUESTS_MAX = 32;

  private static final long IDLE_SECONDS = 10;

  private final ClusterMember member;
  private final Semaphore permits = new Semaphore(STATUS_REQUESTS_MAX);
  private final Executor executor = newExecutor();
  private final BackupSender backups;
  private final ImageSender images;
  private final MemberLevels levels;

  MemberAdmin(ClusterMember member) {
    this.member = member;
    backups = new BackupSender(new MemberBackups(member));
    images = new ImageSender(new MemberImages(member));
    levels = new MemberLevels(member);
  }

  /** One thread, which ends when idle. The permits bound its queue. */
  private static Executor newExecutor() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "entroq-admin");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @Override
  public Call status(CallContext context, StatusRequest request, Reply<StatusResponse> reply) {
    if (!permits.tryAcquire()) {
      reply.fail(
          Refusal.exhausted(STATUS_REQUESTS_MAX + " other status requests are running; try again"));
      return Call.done();
    }
    CompletableFuture<Void> unused =
        member
            .state()
            .thenApply(MemberAdmin::state)
            .completeOnTimeout(
                StateOfMember.getDefaultInstance(), STATE_MAX_MS, TimeUnit.MILLISECONDS)
            .exceptionally(ended -> StateOfMember.getDefaultInstance())
            // This also queries the disk, which must delay neither commands nor timers.
            .thenAcceptAsync(state -> answer(state, reply), executor);
    return Call.done();
  }

  private void answer(StateOfMember state, Reply<StatusResponse> reply) {
    try {
      reply(state, reply);
    } finally {
      permits.release();
    }
  }

  private void reply(StateOfMember state, Reply<StatusResponse> reply) {
    StatusResponse response;
    try {
      response = response(state);
    } catch (IllegalStateException e) {
      reply.fail(ended());
      return;
    } catch (UncheckedIOException e) {
      reply.fail(
          new Refusal(
              Status.Code.INTERNAL,
              "cannot read the free disk space of the member: " + e.getMessage()));
      return;
    } catch (RuntimeException e) {
      reply.fail(new Refusal(Status.Code.INTERNAL, "cannot read the status of the member: " + e));
      return;
    }
    reply.send(response);
  }

  private StatusResponse response(StateOfMember state) {
    MemberStatus status = member.status();
    StatusResponse.Builder response =
        StatusResponse.newBuilder()
            .setMemberId(status.memberId())
            .setRole(status.role())
            .setElection(status.election())
            .setLeaderId(status.leaderId())
            .setTerm(status.termId())
            .setCommitPosition(status.commitPosition())
            .setAppliedPosition(status.appliedPosition())
            .setAppliedSequence(status.appliedSequence())
            .setDurability(member.config().durability().name().toLowerCase(Locale.ROOT))
            .setSnapshots(status.snapshots())
            .setLevelMin(member.supportedLevels().min())
            .setLevelMax(member.supportedLevels().max())
            .setMembersSince(member.membersSince())
            .setLeaderAheadMs(member.leaderAheadMs());
    member.config().members().stream().map(MemberAddress::ingress).forEach(response::addMembers);
    if (state.getSequence() > 0) {
      response.setState(state);
    }
    addLog(response, member.retention());
    try {
      FileStore disk = Files.getFileStore(member.config().directory());
      response.setDiskFreeBytes(disk.getUsableSpace()).setDiskBytes(disk.getTotalSpace());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return response.build();
  }

  private static void addLog(StatusResponse.Builder response, RetentionStats retention) {
    response
        .setLogBytesSince(retention.logBytesSince())
        .setLogBytesHeld(retention.logBytesHeld())
        .addAllMembersBehind(retention.membersBehind())
        .setDisagreements(retention.divergences());
    if (retention.snapshotPosition() > 0) {
      response
          .getSnapshotBuilder()
          .setPosition(retention.snapshotPosition())
          .setAgeMs(retention.snapshotAgeMs())
          .setBytes(retention.snapshots().bytes())
          .setPauseMs(TimeUnit.NANOSECONDS.toMillis(retention.snapshots().pauseNs()));
    }
  }

  static StateOfMember state(MemberState state) {
    return StateOfMember.newBuilder()
        .setSequence(state.sequence())
        .setHistoryDigest(state.history())
        .setContentDigest(state.content())
        .setClusterIdHigh(state.clusterIdHigh())
        .setClusterIdLow(state.clusterIdLow())
        .setLevel(state.level())
        .setLogTimeMs(state.logTimeMs())
        .build();
  }

  @Override
  public Call takeSnapshot(
      CallContext context, TakeSnapshotRequest request, Reply<TakeSnapshotResponse> reply) {
    try {
      takeSnapshot(reply);
    } catch (IllegalStateException e) {
      reply.fail(ended());
    }
    return Call.done();
  }

  private void takeSnapshot(Reply<TakeSnapshotResponse> reply) {
    MemberStatus status = member.status();
    if (!status.isLeader()) {
      reply.fail(new Refusal(Status.Code.FAILED_PRECONDITION, notLeader(status)));
    } else if (member.takeSnapshot()) {
      reply.send(TakeSnapshotResponse.newBuilder().setSnapshots(status.snapshots()).build());
    } else {
      reply.fail(new Refusal(Status.Code.RESOURCE_EXHAUSTED, NO_SNAPSHOT));
    }
  }

  @Override
  public Call backup(CallContext context, BackupRequest request, Reply<BackupResponse> reply) {
    return backups.send(reply);
  }

  @Override
  public Call image(CallContext context, ImageRequest request, Reply<ImageResponse> reply) {
    return images.send(request, reply);
  }

  @Override
  public Call level(CallContext context, LevelRequest request, Reply<LevelResponse> reply) {
    return levels.report(reply);
  }

  @Override
  public Call raiseLevel(
      CallContext context, RaiseLevelRequest request, Reply<RaiseLevelResponse> reply) {
    return levels.raise(request.getLevel(), reply);
  }

  @Override
  public Call stop(CallContext context, StopRequest request, Reply<StopResponse> reply) {
    try {
      MemberStatus status = member.status();
      if (status.isLeader()) {
        CompletableFuture<Void> unused =
            member.stopCluster().handle((point, failure) -> answer(point, failure, reply));
      } else {
        reply.fail(new Refusal(Status.Code.FAILED_PRECONDITION, notLeader(status)));
      }
    } catch (IllegalStateException e) {
      reply.fail(ended());
    }
    return Call.done();
  }

  private static Void answer(
      ClusterMember.StopPoint point, Throwable failure, Reply<StopResponse> reply) {
    if (failure != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      reply.fail(new Refusal(Status.Code.FAILED_PRECONDITION, cause.getMessage()));
    } else {
      reply.send(
          StopResponse.newBuilder()
              .setPosition(point.position())
              .setSequence(point.state().sequence())
              .setHistoryDigest(point.state().history())
              .setContentDigest(point.state().content())
              .build());
    }
    return null;
  }

  private String notLeader(MemberStatus status) {
    String follower = "member " + status.memberId() + " does not lead; ";
    return status.leaderId() < 0
        ? follower + "it has no leader"
        : follower
            + "member %d at %s does"
                .formatted(
                    status.leaderId(), member.config().members().get(status.leaderId()).host());
  }

  static Refusal ended() {
    return new Refusal(Status.Code.UNAVAILABLE, "the member has ended");
  }
}
