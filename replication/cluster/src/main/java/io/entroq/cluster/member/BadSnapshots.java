package io.entroq.cluster.member;

import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.cluster.service.DivergedException;
import io.entroq.cluster.service.SnapshotException;
import io.entroq.engine.memory.ImageException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;

/** Keeps a member that ended because of a bad snapshot from starting with it again. */
final class BadSnapshots {
  private static final Logger LOGGER = System.getLogger(BadSnapshots.class.getName());

  private BadSnapshots() {}

  /**
   * Sets aside the snapshots that are known to be wrong. Called when all components have ended.
   *
   * @param failure why the member ended; null if it was closed
   */
  static void setAside(MemberDirectory directory, int memberId, Throwable failure) {
    RecordingLogFile recordings = new RecordingLogFile(directory.cluster());
    OptionalLong bad = OptionalLong.empty();
    if (failure instanceof DivergedException diverged) {
      recordings.setAside(diverged.position());
      bad = OptionalLong.of(diverged.position());
    } else if (isDamage(failure)) {
      bad = recordings.setNewestAside();
    }
    // Otherwise a later snapshot of the same record could refer to a bad image.
    bad.ifPresent(position -> directory.images().remove(each -> each >= position));
    if (bad.isPresent() && isDamage(failure)) {
      LOGGER.log(
          Level.WARNING,
          "The newest snapshot of member {0} is damaged and will not be used again. Restart the"
              + " member: it begins with the previous snapshot",
          memberId);
    }
  }

  private static boolean isDamage(Throwable cause) {
    return cause instanceof ImageException
        || (cause instanceof DamagedRecordingException recording && recording.isOfSnapshot())
        || (cause instanceof SnapshotException snapshot && snapshot.isDamage());
  }
}
