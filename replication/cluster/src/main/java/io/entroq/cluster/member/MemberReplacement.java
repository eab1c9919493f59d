package io.entroq.cluster.member;

import io.aeron.cluster.NodeStateFile;
import io.entroq.engine.Closing;
import io.entroq.engine.JvmFlags;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.time.LogClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Makes the directory of a member that has lost its own: with the newest snapshot of the one that
 * leads and all of its log behind that, up to what a majority had when this began or later. So
 * whatever the member had promised to keep, it has again before it may vote. And it votes for
 * nobody in any term up to the one that follows: it may have done so before.
 *
 * <p>Until it is complete the directory says so, and no member starts from it. One use, one thread.
 */
public final class MemberReplacement {
  /** When nothing has come for so long it is given up, however long all of it takes. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  private final MemberConfig config;
  private final BackupProgress progress;

  /**
   * @param config of the member that is to be; {@code bootstrap} says nothing here
   * @param progress hears of it, on the thread that calls {@link #run}
   */
  public MemberReplacement(MemberConfig config, BackupProgress progress) {
    this.config = config;
    this.progress = progress;
  }

  /**
   * What is known of the cluster. A majority has to have said so that the lost member is no part
   * of, after it was lost: then no other majority can have gone on without them.
   *
   * @param leaderId who leads
   * @param term since when
   * @param commitPosition bytes of the log that a majority has, as the leader says
   * @param idHigh upper half of the cluster's id
   * @param idLow lower half
   */
  public record Healthy(int leaderId, long term, long commitPosition, long idHigh, long idLow) {}

  /**
   * Makes it.
   *
   * @return how far in the log it has come, in bytes
   * @throws io.entroq.engine.log.LogException if another process has the directory
   * @throws MemberException if the directory is not free, or the copy cannot be made; then the
   *     directory says that it is not complete, and this may be tried again
   * @throws IllegalStateException if the JVM lacks a flag
   */
  public long run(Healthy healthy) {
    JvmFlags.require();
    if (healthy.leaderId() == config.memberId()) {
      throw new MemberException("member " + config.memberId() + " leads; it is not lost");
    }
    try (MemberDirectory directory =
        MemberDirectory.replace(config, healthy.idHigh(), healthy.idLow())) {
      MemberPorts.requireFree(config.address());
      long position = copy(directory, healthy);
      progress.at("forcing", 0, BackupProgress.UNKNOWN);
      forbidVotes(directory, healthy, position);
      directory.complete();
      return position;
    } catch (IOException e) {
      throw new UncheckedIOException("making the directory of a member, " + config.directory(), e);
    }
  }

  private long copy(MemberDirectory directory, Healthy healthy) {
    MemberErrors errors = new MemberErrors(config.memberId());
    LogClock clock = config.clock().get();
    MemberComponents components = new MemberComponents(config, directory, errors, false, clock);
    components.launchArchive(part -> {});
    LogCopy copy =
        new LogCopy(config, directory, components.localArchive(), components.epochClock());
    try {
      long position = copy.run(healthy, progress, SILENCE_MAX);
      Closing.all(copy, components);
      return position;
    } catch (Throwable t) {
      Closing.after(t, copy, components);
      throw t;
    }
  }

  private static void forbidVotes(MemberDirectory directory, Healthy healthy, long position)
      throws IOException {
    try (NodeStateFile votes = new NodeStateFile(directory.cluster(), true, 1)) {
      votes.proposeMaxCandidateTermId(healthy.term() + 1, position, System.currentTimeMillis());
    }
  }
}
