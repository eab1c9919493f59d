package io.entroq.server.serving;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.mirror.MirrorState;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.service.admin.BackupSource;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Backups of a cluster member, read from its mirror of the log. The mirror lags slightly behind the
 * state, so a backup must reach the sequence and digests of the state when it was requested.
 */
final class MemberBackups implements BackupSource {
  private static final long STATE_MAX_MS = 10_000;

  private final ClusterMember member;

  MemberBackups(ClusterMember member) {
    this.member = member;
  }

  @Override
  public Path directory() {
    return member.config().directory();
  }

  @Override
  public HolePolicy policy() {
    return HolePolicy.REFUSE;
  }

  @Override
  public Aim aim() {
    if (member.mirror().state() == MirrorState.OFF) {
      throw refused(
          Status.Code.FAILED_PRECONDITION,
          "this member keeps no mirror of the log, which backups need; use another member");
    }
    StateOfMember state = state();
    if (state.getSequence() == 0) {
      throw refused(Status.Code.UNAVAILABLE, "this member has no state yet; use another member");
    }
    return new Aim(state.getSequence(), Optional.of(state));
  }

  private StateOfMember state() {
    try {
      return member
          .state()
          .thenApply(MemberAdmin::state)
          .completeOnTimeout(
              StateOfMember.getDefaultInstance(), STATE_MAX_MS, TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException e) {
      throw refused(Status.Code.UNAVAILABLE, "the member has ended");
    }
  }

  private static RefusedException refused(Status.Code code, String why) {
    return new RefusedException(new Refusal(code, why));
  }
}
