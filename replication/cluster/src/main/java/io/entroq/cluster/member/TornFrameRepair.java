package io.entroq.cluster.member;

import io.aeron.archive.ArchiveTool;
import io.aeron.archive.client.ArchiveException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts off the last frame of a recording that was not written in full because of a kill or a full
 * disk. The archive refuses to open such a recording. It has never counted or acknowledged the
 * frame, so the frame can go; its content is received again.
 */
final class TornFrameRepair {
  private static final Logger LOGGER = System.getLogger(TornFrameRepair.class.getName());

  /** The archive's message; the file name begins with the recording id. */
  private static final Pattern MESSAGE =
      Pattern.compile("incomplete last fragment .* in file: .*?(\\d+)-\\d+\\.rec", Pattern.DOTALL);

  private final File directory;
  private final Set<Long> cut = new HashSet<>();

  TornFrameRepair(File directory) {
    this.directory = directory;
  }

  /**
   * Cuts off the frame that an archive reports.
   *
   * @throws ArchiveException the given error, if it reports something else, or the same again
   */
  void cut(ArchiveException error) {
    OptionalLong recording = recordingIn(error);
    if (recording.isEmpty() || !cut.add(recording.getAsLong())) {
      throw error;
    }
    cut(recording.getAsLong(), error);
  }

  private static OptionalLong recordingIn(ArchiveException error) {
    Matcher found = MESSAGE.matcher(error.getMessage());
    return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
  }

  private void cut(long recording, ArchiveException error) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(output, false, StandardCharsets.UTF_8);
    if (!ArchiveTool.verifyRecording(out, directory, recording, Set.of(), null, file -> true)) {
      out.flush();
      throw new MemberException(
          "%s: recording %d cannot be repaired: %s. Replace the member from a healthy one"
              .formatted(directory, recording, output.toString(StandardCharsets.UTF_8).strip()),
          error);
    }
    LOGGER.log(
        Level.WARNING,
        "The last frame of recording {0} in {1} was incomplete, as after a kill or on a full disk,"
            + " and has been cut off",
        recording,
        directory);
  }
}
