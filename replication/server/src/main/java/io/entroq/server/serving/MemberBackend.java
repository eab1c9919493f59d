package io.entroq.server.serving;

import io.entroq.api.EntroQ;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.gateway.Views;
import io.entroq.engine.time.ClockStats;
import io.entroq.server.settings.Settings;
import io.entroq.service.admin.AdminService;
import io.entroq.service.http.Health;
import io.entroq.service.insight.ServerFigures;
import io.entroq.service.metrics.MemberNumbers;
import io.entroq.service.metrics.Metrics;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Optional;

/** A cluster member in this process. */
final class MemberBackend implements Backend, Health {
  /** A ready member lags by at most this many bytes: a few milliseconds of log. */
  private static final long READY_LAG_BYTES_MAX = 4 << 20;

  private final ClusterMember member;

  private MemberBackend(ClusterMember member) {
    this.member = member;
  }

  /** See {@link MemberFactory#start}. */
  static MemberBackend start(Settings settings) {
    return new MemberBackend(new MemberFactory(settings).start());
  }

  @Override
  public Gateway gateway() {
    return member.gateway();
  }

  @Override
  public EntroQ queue() {
    return member.queue();
  }

  @Override
  public EffectFeed feed() {
    return member.feed();
  }

  @Override
  public Optional<Views> views() {
    return member.views();
  }

  @Override
  public boolean isLogged() {
    return true;
  }

  @Override
  public boolean isInCharge() {
    return memberStatus().filter(status -> status.isLeader() && hasLeader(status)).isPresent();
  }

  @Override
  public void measure(Metrics metrics) {
    metrics.member(new Numbers());
    metrics.level(member::level);
  }

  @Override
  public ServerFigures figures() {
    Optional<MemberStatus> status = memberStatus();
    Optional<EngineStats> engine = member.stats();
    RetentionStats retention = member.retention();
    return new ServerFigures(
        status.filter(MemberBackend::hasLeader).isPresent(),
        status.map(MemberStatus::lagBytes).orElse(0L),
        retention.divergences(),
        engine.map(EngineStats::isDiskLow).orElse(false),
        engine.map(EngineStats::isDiskFull).orElse(false),
        engine.map(EngineStats::writesRefusedForMemory).orElse(0L),
        retention.snapshots().failed(),
        // Its log is the cluster's.
        0,
        0);
  }

  @Override
  public String description() {
    return "%s, durability %s, member %d of %d"
        .formatted(
            member.config().directory(),
            member.config().durability().name().toLowerCase(Locale.ROOT),
            member.config().memberId(),
            member.config().members().size());
  }

  @Override
  public String status() {
    Optional<MemberStatus> status = memberStatus();
    if (status.isEmpty()) {
      return "has ended";
    }
    MemberStatus present = status.get();
    if (!hasLeader(present)) {
      return "looks for a leader";
    }
    if (isBehind(present)) {
      return "catches up with member %d, term %d".formatted(present.leaderId(), present.termId());
    }
    return present.isLeader()
        ? "leads, term " + present.termId()
        : "follows member %d, term %d".formatted(present.leaderId(), present.termId());
  }

  @Override
  public Optional<String> unreadyBecause() {
    Optional<MemberStatus> status = memberStatus();
    if (status.isEmpty()) {
      return Optional.of("the member has ended");
    }
    if (!hasLeader(status.get())) {
      return Optional.of("the member has no leader");
    }
    return isBehind(status.get())
        ? Optional.of("the member is behind by %,d bytes".formatted(status.get().lagBytes()))
        : Optional.empty();
  }

  @Override
  public Optional<String> deadBecause() {
    return member.ended().isDone() ? Optional.of("the member has ended") : Optional.empty();
  }

  private static boolean hasLeader(MemberStatus status) {
    return status.hasLeader() && status.leaderId() >= 0;
  }

  private boolean isBehind(MemberStatus status) {
    // Before the first command there is no state to read.
    return status.appliedSequence() == 0 || status.lagBytes() > READY_LAG_BYTES_MAX;
  }

  /** Empty if the member has ended. */
  private Optional<MemberStatus> memberStatus() {
    try {
      return Optional.of(member.status());
    } catch (IllegalStateException e) {
      return Optional.empty();
    }
  }

  @Override
  public AdminService admin() {
    return new MemberAdmin(member);
  }

  @Override
  public Optional<Health> health() {
    return Optional.of(this);
  }

  @Override
  public void requireOpen() {
    if (member.ended().isDone() && !member.hasStoppedWithAll()) {
      Throwable cause = member.ended().join();
      throw new CommandException(
          "the member has ended: " + (cause == null ? "it was closed" : cause.getMessage()), cause);
    }
  }

  @Override
  public boolean hasStopped() {
    return member.ended().isDone() && member.hasStoppedWithAll();
  }

  @Override
  public void close() {
    member.close();
  }

  private final class Numbers implements MemberNumbers {
    @Override
    public Optional<MemberStatus> status() {
      return memberStatus();
    }

    @Override
    public RetentionStats retention() {
      return member.retention();
    }

    @Override
    public MirrorStats mirror() {
      return member.mirror();
    }

    @Override
    public Optional<EngineStats> engine() {
      return member.stats();
    }

    @Override
    public ProposalStats proposals() {
      return member.proposals();
    }

    @Override
    public ClockStats clock() {
      return member.clock();
    }

    @Override
    public long leaderAheadMs() {
      return member.leaderAheadMs();
    }

    @Override
    public double diskUsableBytes() {
      try {
        return Files.getFileStore(member.config().directory()).getUsableSpace();
      } catch (IOException e) {
        return Double.NaN;
      }
    }
  }
}
