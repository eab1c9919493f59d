package io.entroq.cluster.retention;

/**
 * A snapshot as the recording log of a member has it.
 *
 * @param position in the log of the cluster
 * @param timeMs log time when it was taken
 * @param serviceRecording recording of the state
 * @param moduleRecording recording of sessions and timers
 * @param serviceEntry which entry of the file names the first, from 0
 * @param moduleEntry which entry of the file names the second, from 0
 */
record RaftSnapshot(
    long position,
    long timeMs,
    long serviceRecording,
    long moduleRecording,
    int serviceEntry,
    int moduleEntry) {
  /** Whether a recording is one of its two. */
  boolean isIn(long recording) {
    return recording == serviceRecording || recording == moduleRecording;
  }

  /** The older of its two recordings. */
  long firstRecording() {
    return Math.min(serviceRecording, moduleRecording);
  }
}
