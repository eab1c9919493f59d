package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredServiceContainer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The recordings of a member, asked for and let go of through its archive. One thread. */
final class RaftArchive implements AutoCloseable {
  /** Many times as many as a member that is looked after ever has. */
  private static final int LISTED_MAX = 10_000;

  private final AeronArchive archive;

  /**
   * Connects, and waits for that.
   *
   * @param context of the archive's client; used up
   */
  RaftArchive(AeronArchive.Context context) {
    archive = AeronArchive.connect(context);
  }

  /**
   * A recording.
   *
   * @param startPosition from where on it is there
   * @param stopPosition where it ends; negative: it is being recorded
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

    /** Beginning of the segment in which a position is. */
    long segmentAt(long position) {
      return AeronArchive.segmentFileBasePosition(startPosition, position, termBytes, segmentBytes);
    }
  }

  /** All that there are, oldest first. */
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

  /** The log, if there is one. */
  Optional<Recording> log() {
    return recordings().stream()
        .filter(Recording::isOfLog)
        .max(Comparator.comparingLong(Recording::id));
  }

  /** Up to where a recording goes now. */
  long endOf(Recording recording) {
    return archive.getMaxRecordedPosition(recording.id());
  }

  /**
   * Deletes whole segments from the beginning of a recording.
   *
   * @param neededPosition from where on it is still needed
   * @param segmentsMax no more than so many
   * @return where it begins then
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
      // Somebody is reading there, or the last ones are still being deleted.
      return recording.startPosition();
    }
  }

  /**
   * Deletes a recording that has ended, or as much of it as is good at once.
   *
   * @return how many segments; 0: it cannot be deleted now
   */
  int delete(Recording recording, int segmentsMax) {
    long from = recording.segmentAt(recording.startPosition());
    long last = recording.segmentAt(recording.stopPosition());
    int segments = (int) ((last - from) / recording.segmentBytes()) + 1;
    if (segments > segmentsMax) {
      long begins = trim(recording, last, segmentsMax);
      return (int) ((begins - from) / recording.segmentBytes());
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
