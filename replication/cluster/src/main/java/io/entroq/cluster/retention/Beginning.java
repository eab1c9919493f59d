package io.entroq.cluster.retention;

import java.io.File;
import java.util.Arrays;
import java.util.OptionalLong;

/** Whether a member has what it takes to come to its state, looked at before it starts. */
public final class Beginning {
  private static final String SEGMENT_SUFFIX = ".rec";

  private Beginning() {}

  /**
   * False if there is neither a snapshot that may be used nor the log from its beginning on.
   *
   * @param cluster directory of the consensus module, which does not run
   * @param archive directory of recordings
   */
  public static boolean isServing(File cluster, File archive) {
    RecordingLogFile recordingLog = new RecordingLogFile(cluster);
    OptionalLong log = recordingLog.logRecording();
    return log.isEmpty()
        || !recordingLog.snapshots().isEmpty()
        || firstPosition(archive, log.getAsLong()) == 0;
  }

  private static long firstPosition(File archive, long recording) {
    String prefix = recording + "-";
    String[] names =
        archive.list((in, name) -> name.startsWith(prefix) && name.endsWith(SEGMENT_SUFFIX));
    return names == null
        ? 0
        : Arrays.stream(names)
            .map(name -> name.substring(prefix.length(), name.length() - SEGMENT_SUFFIX.length()))
            .mapToLong(Long::parseLong)
            .min()
            .orElse(0);
  }
}
