package io.entroq.cluster.member;

import io.aeron.archive.client.ArchiveException;
import io.entroq.cluster.retention.RecordingLogFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an archive finds where a recording is read once more: by its own member when that starts, by
 * one that catches up, or for a copy. It breaks off there. Whoever reads knows nothing of the
 * reason, and begins anew, for ever.
 */
final class RecordingDamage {
  /**
   * How an archive says of a frame that its checksum or its length is wrong. Position, position of
   * the file, recording, name of the file.
   */
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "(?:CRC checksum mismatch|unexpected end of recording) at position=(\\d+)"
              + " \\(segmentFilePosition=(\\d+),.*recordingId=(\\d+),.*segmentFile=([^ ,]+)",
          Pattern.DOTALL);

  private RecordingDamage() {}

  /**
   * Whether it is that, and of what the member goes on with: its log, or the newest snapshot. Reads
   * the recording log; any thread.
   */
  static Optional<DamagedRecordingException> found(
      MemberDirectory directory, int memberId, Throwable error) {
    if (!(error instanceof ArchiveException)) {
      return Optional.empty();
    }
    Matcher said = COMPLAINT.matcher(error.getMessage());
    if (!said.find()) {
      return Optional.empty();
    }
    long position = Long.parseLong(said.group(1));
    long offset = position - Long.parseLong(said.group(2));
    long recording = Long.parseLong(said.group(3));
    Path file = directory.archive().toPath().resolve(said.group(4)).toAbsolutePath();
    RecordingLogFile recordings = new RecordingLogFile(directory.cluster());
    if (recordings.isLog(recording)) {
      return Optional.of(DamagedRecordingException.ofLog(memberId, file, position, offset, error));
    }
    return recordings.isOfNewestSnapshot(recording)
        ? Optional.of(DamagedRecordingException.ofSnapshot(memberId, file, offset, error))
        : Optional.empty();
  }
}
