package io.entroq.cluster.member;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackup.Configuration.ReplayStart;
import io.aeron.cluster.ClusterBackup.SourceType;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;
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
 * Copies the newest snapshot of the member that leads, and the log behind it as far as a majority
 * has it, into the archive of this process. One use.
 */
final class LogCopy implements ClusterBackupEventsListener, AutoCloseable {
  private static final long LOOK_NS = Duration.ofMillis(5).toNanos();

  /** It is no member's, and no caller is behind it. */
  private static final long INCARNATION = 1;

  private final MemberConfig config;
  private final MemberDirectory directory;
  private final AeronArchive.Context archive;
  private final EpochClock clock;
  private volatile boolean isRecorded;
  private volatile Exception error;
  private ClusterBackup backup;

  /**
   * @param archive reaches the one of this process
   * @param clock that the driver of this process goes by
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
   * Copies until what is known to be agreed to is here. Blocks.
   *
   * @param silenceMax when nothing of snapshot or log has come for so long it is given up
   * @return how far it has come
   * @throws MemberException if it was given up
   */
  long run(MemberReplacement.Healthy healthy, BackupProgress progress, Duration silenceMax) {
    backup = ClusterBackup.launch(context(healthy));
    CopyStallDetector silence = new CopyStallDetector(silenceMax, System.nanoTime());
    long position = 0;
    while (!isRecorded || position < healthy.commitPosition()) {
      // The log begins to come behind all of the snapshot.
      long recorded = recordedBytes();
      if (position == 0) {
        progress.at("copying snapshot", recorded, BackupProgress.UNKNOWN);
      } else {
        progress.at("copying log", position, healthy.commitPosition());
      }
      if (silence.isTooLong(position + recorded, System.nanoTime())) {
        throw silent(healthy, silenceMax);
      }
      LockSupport.parkNanos(LOOK_NS);
      position = backup.context().liveLogPositionCounter().get();
    }
    return position;
  }

  /** Of all that is being recorded now. */
  private long recordedBytes() {
    CountersReader counters = backup.context().aeron().countersReader();
    long[] bytes = new long[1];
    counters.forEach(
        (counterId, typeId, keyBuffer, label) -> {
          if (typeId == RecordingPos.RECORDING_POSITION_TYPE_ID) {
            bytes[0] += counters.getCounterValue(counterId);
          }
        });
    return bytes[0];
  }

  private MemberException silent(MemberReplacement.Healthy healthy, Duration silenceMax) {
    return new MemberException(
        "member %d, which leads, has sent nothing for %s%s"
            .formatted(
                healthy.leaderId(), silenceMax, error == null ? "" : ": " + error.getMessage()),
        error);
  }

  private ClusterBackup.Context context(MemberReplacement.Healthy healthy) {
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
                .controlResponseChannel("aeron:udp?term-length=64k|endpoint=" + here))
        .clusterConsensusEndpoints(config.members().get(healthy.leaderId()).consensus())
        // The answer comes here, so it has to be a port that can be told.
        .consensusChannel("aeron:udp?term-length=64k|endpoint=" + config.address().consensus())
        .catchupChannel("aeron:udp?alias=copy")
        .catchupEndpoint(here)
        // What follows the leader only has what the leader has; the log may begin anywhere.
        .sourceType(SourceType.LEADER)
        .initialReplayStart(ReplayStart.LATEST_SNAPSHOT)
        .credentialsSupplier(
            new MemberCredentials(MemberPrincipal.of(INCARNATION), config.secret()))
        .eventsListener(this)
        .errorHandler(error -> onPossibleFailure(new MemberException("copying", error)));
  }

  @Override
  public void onBackupQuery() {
    // It begins, or begins anew.
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
    // What it is going to copy.
  }

  @Override
  public void onUpdatedRecordingLog(
      RecordingLog recordingLog, List<RecordingLog.Snapshot> snapshotsRetrieved) {
    isRecorded = true;
  }

  @Override
  public void onLiveLogProgress(long recordingId, long recordingPosCounterId, long logPosition) {
    // Not told of where it begins, which may be where it ends.
  }

  @Override
  public void close() {
    CloseHelper.close(backup);
  }
}
