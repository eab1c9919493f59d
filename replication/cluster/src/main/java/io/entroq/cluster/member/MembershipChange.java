package io.entroq.cluster.member;

import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.snapshot.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Makes the directory of a stopped member, or a copy of it, that of a member of other members. All
 * members of the cluster were stopped at one position, and its directory has everything up to
 * there. So each majority of the new members has it too. Uses the directory alone.
 */
public final class MembershipChange {
  private final MemberConfig config;

  /**
   * @param config id and directory of the member, and all new members; the rest is ignored
   */
  public MembershipChange(MemberConfig config) {
    this.config = config;
  }

  /**
   * Changes the members. Reads and verifies the last snapshot.
   *
   * @param position where all members have stopped
   * @return the state there
   * @throws io.entroq.engine.log.LogException if another process holds the directory, or the
   *     snapshot is damaged
   * @throws MemberException if the member has not stopped there, or is one of these members already
   */
  public StateDigest apply(long position) {
    try (MemberDirectory directory = MemberDirectory.openStopped(config)) {
      MemberFile before = directory.file();
      if (position < 1 || (!before.isClosed() && before.membersSince() != position)) {
        throw new MemberException(
            "%s was not stopped at %,d to change the members; see `entroq shutdown`"
                .formatted(directory, position));
      }
      MemberFile after = before.changed(config.memberId(), config.members().size(), position);
      if (after.equals(before)) {
        throw new MemberException(
            "%s is the directory of member %d of %d already: nothing to do"
                .formatted(directory, config.memberId(), config.members().size()));
      }
      StateDigest state = verify(directory, position);
      directory.replaceFile(after);
      return state;
    } catch (IOException e) {
      throw new UncheckedIOException("changing the members of " + config.directory(), e);
    }
  }

  /**
   * Lets the same members go on that were stopped, or were to be. All of them need this, also one
   * that has not applied the request: it is in the log, so the member will still meet it.
   *
   * @throws io.entroq.engine.log.LogException if another process holds the directory
   * @throws MemberException if the directory is that of another member
   */
  public void reopen() {
    try (MemberDirectory directory = MemberDirectory.openStopped(config)) {
      MemberFile before = directory.file();
      if (!before.isOf(config)) {
        throw new MemberException(
            "%s is the directory of member %d of %d; only the same members can go on"
                .formatted(directory, before.memberId(), before.members()));
      }
      long lastTerm = new RecordingLogFile(directory.cluster()).lastTerm().orElse(-1);
      directory.replaceFile(before.reopened(lastTerm + 1));
    } catch (IOException e) {
      throw new UncheckedIOException("reopening " + config.directory(), e);
    }
  }

  /**
   * Reads and verifies the snapshot with which a member has stopped.
   *
   * @throws io.entroq.engine.log.LogException if it is damaged
   * @throws MemberException if it is incomplete, or the log goes on
   */
  static StateDigest verify(MemberDirectory directory, long position) {
    RecordingLogFile recordingLog = new RecordingLogFile(directory.cluster());
    long newest = recordingLog.newestSnapshot().orElse(0);
    if (newest != position) {
      throw new MemberException(
          ("%s has no snapshot at %,d; its newest is at %,d. Check the position, or use a copy of the"
                  + " directory of a member that has stopped there")
              .formatted(directory, position, newest));
    }
    if (!endsAt(directory, recordingLog, position)) {
      throw new MemberException(
          ("the log in %s goes on after %,d, so the member was started again. Use a copy of the"
                  + " directory of a member that was not")
              .formatted(directory, position));
    }
    Manifest image =
        directory
            .images()
            .verify(position)
            .orElseThrow(
                () ->
                    new MemberException(
                        ("%s has no complete image of its snapshot at %,d. Use a copy of the directory"
                                + " of another member")
                            .formatted(directory, position)));
    return new StateDigest(image.sequence(), image.historyDigest(), image.contentDigest());
  }

  private static boolean endsAt(
      MemberDirectory directory, RecordingLogFile recordingLog, long position) {
    try {
      return recordingLog.endsAt(directory.archive(), position);
    } catch (IOException e) {
      throw new UncheckedIOException("reading the log in " + directory, e);
    }
  }
}
