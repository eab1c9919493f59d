package io.entroq.cluster.member;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackup.Configuration.ReplayStart;
import io.aeron.cluster.ClusterBackup.SourceType;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;
import io.entroq.cluster.aeron.MappedCounters;
import io.entroq.cluster.session.ArchiveAccess;
import io.entroq.cluster.session.MemberCredentials;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.engine.backup.BackupProgress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.status.CountersReader;

/**
 * Copies the leader's newest snapshot, and its log after that at least up to the commit position,
 * into this process's archive. One use.
 */
final class LogCopy implements ClusterBackupEventsListener, AutoCloseable {
  private static final long POLL_NS = Duration.ofMillis(5).toNanos();

  /** Not a member's incarnation, since this session has no callers. */
  private static final long INCARNATION = 1;

  private final MemberConfig config;
  private final MemberDirectory directory;
  private final AeronArchive.Context archive;
  private final EpochClock clock;
  private volatile boolean hasSnapshot;
  private volatile Exception error;
  private ClusterBackup backup;
  private CountersReader counters;

  /**
   * @param archive connects to this process's archive
   * @param clock the clock of this process's driver
   */
  LogCopy(
      MemberConfig config,
      MemberDirectory directory,
      AeronArchive.Context archive,
      EpochClock clock) {
    this.config = config;
    this.directory = directory;
    this.archive = archive;
    this.clock = clock;
  }

  /**
   * Copies at least up to the commit position. Blocks.
   *
   * @param stallMax the copy fails if nothing arrives for this time
   * @return the end position of the copy
   * @throws MemberException if the copy stalled
   */
  long run(MemberReplacement.Source source, BackupProgress progress, Duration stallMax) {
    backup = ClusterBackup.launch(context(source));
    // Not those of the backup's client, which unmaps them if it ends.
    counters = MappedCounters.of(config.driverDirectory());
    int logPosition = backup.context().liveLogPositionCounter().id();
    CopyStallDetector stalls = new CopyStallDetector(stallMax, System.nanoTime());
    long position = 0;
    while (!hasSnapshot || position < source.commitPosition()) {
      // The log follows the complete snapshot.
      long recorded = recordedBytes();
      if (position == 0) {
        progress.at("copying snapshot", recorded, BackupProgress.UNKNOWN);
      } else {
        progress.at("copying log", position, source.commitPosition());
      }
      if (stalls.isStalled(position + recorded, System.nanoTime())) {
        throw stalled(source, stallMax);
      }
      LockSupport.parkNanos(POLL_NS);
      position = counters.getCounterValue(logPosition);
    }
    return position;
  }

  /** Bytes of all recordings in progress. */
  private long recordedBytes() {
    long[] bytes = new long[1];
    counters.forEach(
        (counterId, typeId, keyBuffer, label) -> {
          if (typeId == RecordingPos.RECORDING_POSITION_TYPE_ID) {
            bytes[0] += counters.getCounterValue(counterId);
          }
        });
    return bytes[0];
  }

  private MemberException stalled(MemberReplacement.Source source, Duration stallMax) {
    return new MemberException(
        ("the leader, member %d, has sent nothing for %d s%s. Is --secret-file that of the members,"
                + " and can they reach this machine by UDP?")
            .formatted(
                source.leaderId(),
                stallMax.toSeconds(),
                error == null ? "" : ": " + error.getMessage()),
        error);
  }

  private ClusterBackup.Context context(MemberReplacement.Source source) {
    String here = config.address().host() + ":0";
    return new ClusterBackup.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(clock)
        .clusterDir(directory.cluster())
        .archiveContext(archive)
        .clusterArchiveContext(
            new AeronArchive.Context()
                .aeronDirectoryName(config.driverDirectory().toString())
                .controlRequestChannel("aeron:udp?term-length=64k")
                .controlResponseChannel("aeron:udp?term-length=64k|endpoint=" + here)
                .credentialsSupplier(
                    new ArchiveAccess(config.secret(), () -> 0).remoteCredentials()))
        .clusterConsensusEndpoints(config.members().get(source.leaderId()).consensus())
        // The response arrives here, so the port must be known in advance.
        .consensusStreamId(MemberComponents.consensusStreamId(directory))
        .consensusChannel("aeron:udp?term-length=64k|endpoint=" + config.address().consensus())
        .catchupChannel("aeron:udp?alias=copy")
        .catchupEndpoint(here)
        // From the leader, because only it has every committed entry; the log may begin anywhere.
        .sourceType(SourceType.LEADER)
        .initialReplayStart(ReplayStart.LATEST_SNAPSHOT)
        .credentialsSupplier(
            new MemberCredentials(MemberPrincipal.of(INCARNATION), config.secret()))
        .eventsListener(this)
        .errorHandler(error -> onPossibleFailure(new MemberException("copying", error)));
  }

  @Override
  public void onBackupQuery() {
    // Nothing to do: the copy starts, or starts over.
  }

  @Override
  public void onPossibleFailure(Exception e) {
    error = e;
  }

  @Override
  public void onBackupResponse(
      ClusterMember[] clusterMembers,
      ClusterMember logSourceMember,
      List<RecordingLog.Snapshot> snapshotsToRetrieve) {
    // Nothing to do: the copy has a source.
  }

  @Override
  public void onUpdatedRecordingLog(
      RecordingLog recordingLog, List<RecordingLog.Snapshot> snapshotsRetrieved) {
    hasSnapshot = true;
  }

  @Override
  public void onLiveLogProgress(long recordingId, long recordingPosCounterId, long logPosition) {
    // Not used: it does not report the start, which may also be the end.
  }

  @Override
  public void close() {
    CloseHelper.close(backup);
  }
}
