package io.entroq.cluster.member;

import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.cluster.service.DivergedException;
import io.entroq.cluster.service.SnapshotException;
import io.entroq.engine.memory.ImageException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Snapshots of a member that has ended because of them: it is not to begin with them again. */
final class BadSnapshots {
  private static final Logger LOGGER = System.getLogger(BadSnapshots.class.getName());

  private BadSnapshots() {}

  /**
   * Sets those aside that are known to be wrong, once all parts have ended.
   *
   * @param failure why the member has ended; null: it was closed, and nothing is known to be wrong
   */
  static void setAside(MemberDirectory directory, int memberId, Throwable failure) {
    RecordingLogFile recordings = new RecordingLogFile(directory.cluster());
    if (failure instanceof DivergedException diverged) {
      recordings.setAside(diverged.position());
    } else if (isDamage(failure) && recordings.setNewestAside()) {
      LOGGER.log(
          Level.WARNING,
          "The newest snapshot of member {0} is damaged, and is not used again. Start the member once"
              + " more: it begins from the one before",
          memberId);
    }
  }

  private static boolean isDamage(Throwable cause) {
    return cause instanceof ImageException
        || (cause instanceof DamagedRecordingException recording && recording.isOfSnapshot())
        || (cause instanceof SnapshotException snapshot && snapshot.isDamage());
  }
}
