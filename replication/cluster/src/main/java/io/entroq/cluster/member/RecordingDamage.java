package io.entroq.cluster.member;

import io.aeron.archive.client.ArchiveException;
import io.entroq.cluster.retention.RecordingLogFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognizes damage that an archive reports when a recording is read again: by its own member at
 * the start, by one that catches up, or for a copy. The archive stops there without telling the
 * reader, which would retry forever.
 */
final class RecordingDamage {
  /**
   * The archive's message for a wrong checksum or length of a frame. Groups: position, position of
   * the file, recording, file name.
   */
  private static final Pattern MESSAGE =
      Pattern.compile(
          "(?:CRC checksum mismatch|unexpected end of recording) at position=(\\d+)"
              + " \\(segmentFilePosition=(\\d+),.*recordingId=(\\d+),.*segmentFile=([^ ,]+)",
          Pattern.DOTALL);

  private RecordingDamage() {}

  /**
   * The damage that an error reports, if it is in the log or in the newest snapshot. Reads the
   * recording log. Any thread.
   */
  static Optional<DamagedRecordingException> find(
      MemberDirectory directory, int memberId, Throwable error) {
    if (!(error instanceof ArchiveException)) {
      return Optional.empty();
    }
    Matcher message = MESSAGE.matcher(error.getMessage());
    if (!message.find()) {
      return Optional.empty();
    }
    long position = Long.parseLong(message.group(1));
    long offset = position - Long.parseLong(message.group(2));
    long recording = Long.parseLong(message.group(3));
    Path file = directory.archive().toPath().resolve(message.group(4)).toAbsolutePath();
    RecordingLogFile recordings = new RecordingLogFile(directory.cluster());
    if (recordings.isLog(recording)) {
      return Optional.of(DamagedRecordingException.ofLog(memberId, file, position, offset, error));
    }
    return recordings.isOfNewestSnapshot(recording)
        ? Optional.of(DamagedRecordingException.ofSnapshot(memberId, file, offset, error))
        : Optional.empty();
  }
}
