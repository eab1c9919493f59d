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
 * The last frame of a recording where it was not written whole: the process was killed at it, or
 * the disk was full. An archive refuses to open then. As it has never counted the frame, and told
 * nobody that it has it, the frame can go; what was in it comes once more.
 */
final class TornFrameRepair {
  private static final Logger LOGGER = System.getLogger(TornFrameRepair.class.getName());

  /** How an archive says so; the number of the recording stands in the name of the file. */
  private static final Pattern COMPLAINT =
      Pattern.compile("incomplete last fragment .* in file: .*?(\\d+)-\\d+\\.rec", Pattern.DOTALL);

  private final File directory;
  private final Set<Long> cut = new HashSet<>();

  /** Of the archive in a directory. */
  TornFrameRepair(File directory) {
    this.directory = directory;
  }

  /**
   * Cuts off the one that an archive complains of.
   *
   * @throws ArchiveException the complaint, if it is of something else, or has come before
   */
  void cut(ArchiveException complaint) {
    OptionalLong recording = recordingIn(complaint);
    if (recording.isEmpty() || !cut.add(recording.getAsLong())) {
      throw complaint;
    }
    cut(recording.getAsLong(), complaint);
  }

  private static OptionalLong recordingIn(ArchiveException complaint) {
    Matcher found = COMPLAINT.matcher(complaint.getMessage());
    return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
  }

  private void cut(long recording, ArchiveException complaint) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, false, StandardCharsets.UTF_8);
    if (!ArchiveTool.verifyRecording(out, directory, recording, Set.of(), null, file -> true)) {
      out.flush();
      throw new MemberException(
          "%s: recording %d cannot be mended: %s. Replace the member from a healthy one"
              .formatted(directory, recording, said.toString(StandardCharsets.UTF_8).strip()),
          complaint);
    }
    LOGGER.log(
        Level.WARNING,
        "The last frame of recording {0} in {1} was not written whole, as after a kill or on a full"
            + " disk, and has been cut off",
        recording,
        directory);
  }
}
