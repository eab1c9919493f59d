package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredServiceContainer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A client of a member's archive that lists and deletes recordings. One thread. */
final class RaftArchive implements AutoCloseable {
  /** Far more than a member ever has. */
  private static final int LISTED_MAX = 10_000;

  private final AeronArchive archive;

  /**
   * Connects to the archive. Blocks.
   *
   * @param context of the client; not to be used again
   */
  RaftArchive(AeronArchive.Context context) {
    archive = AeronArchive.connect(context);
  }

  /**
   * A recording.
   *
   * @param startPosition of the part that is not deleted
   * @param stopPosition its end; negative while it is being recorded
   */
  record Recording(
      long id,
      int streamId,
      long startPosition,
      long stopPosition,
      int termBytes,
      int segmentBytes) {
    boolean isOfLog() {
      return streamId == ConsensusModule.Configuration.logStreamId();
    }

    boolean isOfSnapshot() {
      return streamId == ConsensusModule.Configuration.snapshotStreamId()
          || streamId == ClusteredServiceContainer.Configuration.snapshotStreamId();
    }

    /** The start of the segment that contains a position. */
    long segmentAt(long position) {
      return AeronArchive.segmentFileBasePosition(startPosition, position, termBytes, segmentBytes);
    }
  }

  /** All recordings, oldest first. */
  List<Recording> recordings() {
    List<Recording> found = new ArrayList<>();
    archive.listRecordings(
        0,
        LISTED_MAX,
        (controlSessionId,
            correlationId,
            recordingId,
            startTimestamp,
            stopTimestamp,
            startPosition,
            stopPosition,
            initialTermId,
            segmentFileLength,
            termBufferLength,
            mtuLength,
            sessionId,
            streamId,
            strippedChannel,
            originalChannel,
            sourceIdentity) ->
            found.add(
                new Recording(
                    recordingId,
                    streamId,
                    startPosition,
                    stopPosition,
                    termBufferLength,
                    segmentFileLength)));
    return found;
  }

  /** The recording of the log. */
  Optional<Recording> log() {
    return recordings().stream()
        .filter(Recording::isOfLog)
        .max(Comparator.comparingLong(Recording::id));
  }

  /** The current end of a recording. */
  long endOf(Recording recording) {
    return archive.getMaxRecordedPosition(recording.id());
  }

  /**
   * Deletes whole segments from the start of a recording.
   *
   * @param neededPosition the first position that is still needed
   * @return the new start position
   */
  long trim(Recording recording, long neededPosition, int segmentsMax) {
    long from = recording.segmentAt(recording.startPosition());
    long to =
        Math.min(
            recording.segmentAt(neededPosition),
            from + (long) segmentsMax * recording.segmentBytes());
    if (to <= from) {
      return recording.startPosition();
    }
    try {
      archive.purgeSegments(recording.id(), to);
      return to;
    } catch (ArchiveException e) {
      // The segments are being read, or the last deletion is still running.
      return recording.startPosition();
    }
  }

  /**
   * Deletes a finished recording, or a part of it.
   *
   * @return number of segments deleted; 0 if none can be deleted now
   */
  int delete(Recording recording, int segmentsMax) {
    long from = recording.segmentAt(recording.startPosition());
    long last = recording.segmentAt(recording.stopPosition());
    int segments = (int) ((last - from) / recording.segmentBytes()) + 1;
    if (segments > segmentsMax) {
      long start = trim(recording, last, segmentsMax);
      return (int) ((start - from) / recording.segmentBytes());
    }
    try {
      archive.purgeRecording(recording.id());
      return segments;
    } catch (ArchiveException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    archive.close();
  }
}
