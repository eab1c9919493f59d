package io.entroq.cluster.member;

import io.aeron.archive.client.AeronArchive;
import io.entroq.cluster.retention.UpkeepTarget;
import io.entroq.cluster.service.MemberNotice;
import io.entroq.cluster.service.QueueService;
import io.entroq.cluster.service.SeedReport;
import io.entroq.cluster.service.SnapshotReport;
import io.entroq.cluster.service.StateDigest;
import io.entroq.cluster.session.MemberSession;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.time.LogClock;
import java.io.File;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/** The upkeep thread's view of a member and its components. Any thread. */
final class MemberUpkeepTarget implements UpkeepTarget {
  private final ClusterMember member;
  private final MemberComponents components;
  private final QueueService service;
  private final MemberSession session;
  private final MemberDirectory directory;
  private final MemberSeed seedFiles;
  private final ClusterClosure closure;
  private final LogClock clock;

  MemberUpkeepTarget(
      ClusterMember member,
      MemberComponents components,
      QueueService service,
      MemberSession session,
      MemberDirectory directory,
      MemberSeed seedFiles,
      ClusterClosure closure,
      LogClock clock) {
    this.member = member;
    this.components = components;
    this.service = service;
    this.session = session;
    this.directory = directory;
    this.seedFiles = seedFiles;
    this.closure = closure;
    this.clock = clock;
  }

  @Override
  public boolean isClosed() {
    return closure.isClosed();
  }

  @Override
  public void requestStop() {
    if (!closure.isClosed()) {
      member.sendUnconfirmedClose();
    } else if (!closure.hasStopped()
        && !components.isTakingSnapshot()
        && !service.isWritingImage()) {
      // While a snapshot or its image is in progress, this would be lost. False on followers.
      boolean unused = components.toggleShutdown();
    }
  }

  @Override
  public int memberId() {
    return member.config().memberId();
  }

  @Override
  public boolean isLeader() {
    MemberStatus status = member.status();
    return status.isLeader() && status.hasLeader();
  }

  @Override
  public int leaderId() {
    return session.leadership().memberId();
  }

  @Override
  public boolean hasLeader() {
    return member.status().hasLeader();
  }

  @Override
  public long commitPosition() {
    return member.status().commitPosition();
  }

  @Override
  public long snapshotCount() {
    return member.status().snapshots();
  }

  @Override
  public long appliedSequence() {
    return service.appliedSequence();
  }

  @Override
  public long timeMs() {
    return clock.estimateMs();
  }

  @Override
  public SnapshotStats snapshots() {
    long begun = service.snapshotsBegun();
    if (!components.isTakingSnapshot()) {
      service.settleSnapshots(begun, snapshotCount());
    }
    return service.snapshots();
  }

  @Override
  public boolean takeSnapshot() {
    return member.takeSnapshot();
  }

  @Override
  public Optional<StateDigest> unconfirmedSeed() {
    return service.unconfirmedSeed();
  }

  @Override
  public boolean hasSeed() {
    return seedFiles.exists();
  }

  @Override
  public void deleteSeed() {
    seedFiles.delete();
  }

  @Override
  public void sendSeed(StateDigest seed) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[SeedReport.BYTES]);
    SeedReport.write(message, seed);
    session.send(message);
  }

  @Override
  public void send(SnapshotReport report) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[SnapshotReport.BYTES]);
    report.write(message);
    session.send(message);
  }

  @Override
  public void requestSnapshot() {
    session.send(new MemberNotice(MemberNotice.Kind.WANTS_SNAPSHOT, memberId()).encode());
  }

  @Override
  public File clusterDirectory() {
    return directory.cluster();
  }

  @Override
  public AeronArchive.Context archive() {
    return components.archiveClient();
  }

  @Override
  public Map<Integer, AeronArchive.Context> otherArchives() {
    return components.otherArchives();
  }

  @Override
  public void fail(Throwable cause) {
    member.fail(cause);
  }
}
