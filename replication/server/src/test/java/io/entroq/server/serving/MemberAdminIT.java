package io.entroq.server.serving;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.codec.wire.published.admin.RaiseLevelRequest;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.codec.wire.published.admin.TakeSnapshotRequest;
import io.entroq.codec.wire.published.admin.TakeSnapshotResponse;
import io.entroq.engine.state.Levels;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.testing.MemberPorts;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Admin requests to a member while a reply is blocked. */
class MemberAdminIT {
  private static final CallContext CONTEXT = CallContext.of("grpc");

  @TempDir private Path directory;

  private final Queue<StatusResponse> answers = new ConcurrentLinkedQueue<>();
  private final Queue<Status.Code> refusals = new ConcurrentLinkedQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private ClusterMember member;
  private MemberAdmin admin;

  @BeforeEach
  void start() {
    List<MemberAddress> addresses =
        MemberPorts.take(1).stream().map(port -> MemberAddress.of("127.0.0.1", port)).toList();
    member =
        ClusterMember.start(
            MemberConfig.of(0, addresses, directory.resolve("member"))
                .durability(Durability.OS)
                .bootstrap(true)
                .build());
    admin = new MemberAdmin(member);
    member.queue().modify(Modification.insert("inbox", "x")).orThrow();
  }

  @AfterEach
  void close() {
    release.countDown();
    member.close();
  }

  /** Blocks, as a stuck disk would, until the test releases it. */
  private final class BlockedReply implements Reply<StatusResponse> {
    @Override
    public void position(long position) {}

    @Override
    public void send(StatusResponse response) {
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      answers.add(response);
    }

    @Override
    public void fail(Refusal refusal) {
      refusals.add(refusal.code());
    }
  }

  private void ask() {
    Call unused = admin.status(CONTEXT, StatusRequest.getDefaultInstance(), new BlockedReply());
  }

  @Test
  void shouldApplyCommandsWhileAReplyIsBlocked() throws Exception {
    ask();
    member
        .queue()
        .modifyAsync(Modification.insert("inbox", "y"))
        .get(10, TimeUnit.SECONDS)
        .orThrow();
    assertThat(answers).isEmpty();
    release.countDown();
    until("there is a reply", () -> answers.size() == 1);
    assertThat(answers.element().getState().getSequence()).isPositive();
  }

  @Test
  void shouldLimitConcurrentStatusRequests() {
    for (int i = 0; i < MemberAdmin.STATUS_REQUESTS_MAX + 2; i++) {
      ask();
    }
    assertThat(refusals)
        .containsExactly(Status.Code.RESOURCE_EXHAUSTED, Status.Code.RESOURCE_EXHAUSTED);
    release.countDown();
    until("all have replies", () -> answers.size() == MemberAdmin.STATUS_REQUESTS_MAX);
    ask();
    until(
        "another request is admitted", () -> answers.size() == MemberAdmin.STATUS_REQUESTS_MAX + 1);
  }

  @Test
  void shouldRefuseOnceTheMemberHasEnded() {
    member.close();
    ask();
    until("it is refused", () -> refusals.size() == 1);
    assertThat(refusals).containsExactly(Status.Code.UNAVAILABLE);
  }

  @Test
  void shouldNameBothReasonsForRefusingASnapshot() {
    Snapshots reply = new Snapshots();
    until(
        "a second one is refused",
        () -> {
          Call unused =
              admin.takeSnapshot(CONTEXT, TakeSnapshotRequest.getDefaultInstance(), reply);
          return reply.refused != null;
        });
    assertThat(reply.refused.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(reply.refused.message()).contains("another one", "or the leader is not ready yet");
  }

  @Test
  void shouldRefuseARaiseWithoutALeader() {
    List<MemberAddress> addresses =
        MemberPorts.take(3).stream().map(port -> MemberAddress.of("127.0.0.1", port)).toList();
    MemberConfig lonely =
        MemberConfig.of(1, addresses, directory.resolve("lonely"))
            .durability(Durability.OS)
            .bootstrap(true)
            .build();
    MemberAdmin asked;
    try (ClusterMember alone = ClusterMember.start(lonely)) {
      asked = new MemberAdmin(alone);
      assertThat(raise(asked)).startsWith("RESOURCE_EXHAUSTED: member 1 has no leader");
    }
    assertThat(raise(asked)).isEqualTo("RESOURCE_EXHAUSTED: the member has ended");
  }

  private static String raise(MemberAdmin asked) {
    RaiseLevelRequest request = RaiseLevelRequest.newBuilder().setLevel(Levels.MAX).build();
    CompletableFuture<String> refused = new CompletableFuture<>();
    Call unused =
        asked.raiseLevel(
            CONTEXT,
            request,
            new Reply<>() {
              @Override
              public void position(long position) {}

              @Override
              public void send(RaiseLevelResponse response) {
                refused.complete("raised");
              }

              @Override
              public void fail(Refusal refusal) {
                refused.complete(refusal.code() + ": " + refusal.message());
              }
            });
    return refused.join();
  }

  /** Replies arrive on the caller's thread. */
  private static final class Snapshots implements Reply<TakeSnapshotResponse> {
    private Refusal refused;

    @Override
    public void position(long position) {}

    @Override
    public void send(TakeSnapshotResponse response) {}

    @Override
    public void fail(Refusal refusal) {
      refused = refusal;
    }
  }
}
