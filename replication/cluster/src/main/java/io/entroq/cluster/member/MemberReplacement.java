package io.entroq.cluster.member;

import io.aeron.cluster.NodeStateFile;
import io.entroq.cluster.image.ImageCopy;
import io.entroq.cluster.image.ImageSource;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.engine.Closing;
import io.entroq.engine.JvmFlags;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.time.LogClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Creates the directory of a member that has lost its own, from the leader's newest snapshot and
 * its log after that, at least up to the commit position at the start. So the member has everything
 * that it had acknowledged before it may vote. It does not vote in the leader's term or the next
 * one, because it may have voted there before. Nor may it follow the leader of a term before one in
 * which it may have voted, so when it first starts, the members elect a leader anew.
 *
 * <p>No member starts from the directory until it is complete. One use, one thread.
 */
public final class MemberReplacement {
  /** The copy fails if nothing arrives for this time; it may take any time overall. */
  private static final Duration STALL_MAX = Duration.ofSeconds(30);

  /** The same for its image, which may still have to be written there. */
  private static final Duration IMAGE_STALL_MAX = Duration.ofMinutes(5);

  private final MemberConfig config;
  private final List<ImageSource> images;
  private final BackupProgress progress;
  private final Duration stallMax;

  /**
   * @param config of the new member; {@code bootstrap} is ignored
   * @param images other members' images, in order of preference
   * @param progress notified on the thread that calls {@link #run}
   */
  public MemberReplacement(MemberConfig config, List<ImageSource> images, BackupProgress progress) {
    this(config, images, progress, STALL_MAX);
  }

  MemberReplacement(
      MemberConfig config, List<ImageSource> images, BackupProgress progress, Duration stallMax) {
    this.config = config;
    this.images = images;
    this.progress = progress;
    this.stallMax = stallMax;
  }

  /**
   * The cluster to copy from. A majority without the lost member must have reported this after the
   * loss; then no other majority can have continued without them.
   *
   * @param leaderId the leader
   * @param term the leader's term
   * @param commitPosition the leader's commit position, in bytes
   * @param idHigh upper half of the cluster's id
   * @param idLow lower half
   * @param membersSince where in the log the members were last changed; 0: never
   */
  public record Source(
      int leaderId, long term, long commitPosition, long idHigh, long idLow, long membersSince) {}

  /**
   * Copies the member.
   *
   * @return the end position of the copied log, in bytes
   * @throws io.entroq.engine.log.LogException if another process holds the directory, or the image
   *     cannot be copied
   * @throws MemberException if the directory is not empty, or the copy fails; then the directory
   *     stays marked as incomplete and the replacement can be run again
   * @throws IllegalStateException if the JVM lacks a flag
   */
  public long run(Source source) {
    JvmFlags.require();
    if (source.leaderId() == config.memberId()) {
      throw new MemberException(
          "member " + config.memberId() + " is the leader, so it is not lost");
    }
    try (MemberDirectory directory = MemberDirectory.replace(config, source)) {
      MemberPorts.requireFree(config.address());
      long position = copy(directory, source);
      copyImage(directory);
      progress.at("forcing", 0, BackupProgress.UNKNOWN);
      forbidVotes(directory, source, position);
      directory.complete();
      return position;
    } catch (IOException e) {
      throw new UncheckedIOException("creating the member directory " + config.directory(), e);
    }
  }

  private long copy(MemberDirectory directory, Source source) {
    MemberErrors errors = new MemberErrors(config.memberId());
    LogClock clock = config.clock().get();
    MemberComponents components =
        new MemberComponents(config, directory, errors, false, clock, () -> 0);
    components.launchArchive(part -> {});
    LogCopy copy =
        new LogCopy(config, directory, components.localArchive(), components.epochClock());
    try {
      long position = copy.run(source, progress, stallMax);
      Closing.all(copy, components);
      return position;
    } catch (Throwable t) {
      Closing.after(t, copy, components);
      throw t;
    }
  }

  private void copyImage(MemberDirectory directory) {
    OptionalLong snapshot = new RecordingLogFile(directory.cluster()).newestSnapshot();
    if (snapshot.isPresent()) {
      try (ImageCopy copy = new ImageCopy(directory.images(), images, progress, IMAGE_STALL_MAX)) {
        copy.run(snapshot.getAsLong());
      }
    }
  }

  private static void forbidVotes(MemberDirectory directory, Source source, long position)
      throws IOException {
    try (NodeStateFile votes = new NodeStateFile(directory.cluster(), true, 1)) {
      votes.proposeMaxCandidateTermId(source.term() + 1, position, System.currentTimeMillis());
    }
  }
}
