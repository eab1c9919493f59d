package io.entroq.cluster.retention;

/**
 * A snapshot in a member's recording log.
 *
 * @param position in the cluster's log
 * @param timeMs log time
 * @param serviceRecording recording of the state
 * @param moduleRecording recording of sessions and timers
 * @param serviceEntry index of the file's entry for the service recording
 * @param moduleEntry index of the file's entry for the module recording
 */
record RaftSnapshot(
    long position,
    long timeMs,
    long serviceRecording,
    long moduleRecording,
    int serviceEntry,
    int moduleEntry) {
  /** Whether a recording belongs to this snapshot. */
  boolean isIn(long recording) {
    return recording == serviceRecording || recording == moduleRecording;
  }

  /** The older of its two recordings. */
  long firstRecording() {
    return Math.min(serviceRecording, moduleRecording);
  }
}
