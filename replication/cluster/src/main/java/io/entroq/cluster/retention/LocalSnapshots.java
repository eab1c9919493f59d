package io.entroq.cluster.retention;

import io.entroq.cluster.image.ImageStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The snapshots that this member holds: those in its recording log that are complete. Upkeep
 * thread.
 */
final class LocalSnapshots {
  private final UpkeepTarget member;
  private final RecordingLogFile recordingLog;
  private final long startMs;
  private final ImageStore images;
  private List<RaftSnapshot> all = List.of();

  /** Without a complete image, which may be in progress or have failed. */
  private List<RaftSnapshot> incomplete = List.of();

  private long count = -1;
  private long imageChanges = -1;

  LocalSnapshots(UpkeepTarget member, ImageStore images) {
    this.member = member;
    this.images = images;
    recordingLog = new RecordingLogFile(member.clusterDirectory());
    startMs = member.timeMs();
  }

  /**
   * Reads the recording log again if there may be new snapshots.
   *
   * @return whether it was read
   */
  boolean refresh() {
    long newCount = member.snapshotCount();
    long newChanges = images.changes();
    if (newCount == count && newChanges == imageChanges) {
      return false;
    }
    read();
    count = newCount;
    imageChanges = newChanges;
    return true;
  }

  private void read() {
    Map<Boolean, List<RaftSnapshot>> byState =
        recordingLog.snapshots().stream()
            .collect(Collectors.partitioningBy(each -> images.isComplete(each.position())));
    all = byState.get(true);
    incomplete = byState.get(false);
  }

  /** Oldest first. */
  List<RaftSnapshot> all() {
    return all;
  }

  /** Log position of the newest snapshot; 0 if there is none. */
  long position() {
    return all.isEmpty() ? 0 : newest().position();
  }

  /** Log position of the second newest snapshot, from which the log is kept; 0 if there is none. */
  long positionBefore() {
    return all.size() < 2 ? 0 : all.get(all.size() - 2).position();
  }

  /** Log time since the newest snapshot, or since the member started. */
  long ageMs() {
    return member.timeMs() - (all.isEmpty() ? startMs : newest().timeMs());
  }

  private RaftSnapshot newest() {
    return all.get(all.size() - 1);
  }

  /** Invalidates all that is not kept and older than the newest, before recordings are deleted. */
  void invalidateAllBut(RetentionHold hold) {
    List<RaftSnapshot> unused = new ArrayList<>(hold.others(all));
    incomplete.stream().filter(each -> each.position() < position()).forEach(unused::add);
    if (!unused.isEmpty()) {
      recordingLog.invalidate(unused);
      read();
    }
    Set<Long> kept =
        hold.snapshots().stream().map(RaftSnapshot::position).collect(Collectors.toSet());
    images.remove(imaged -> imaged < position() && !kept.contains(imaged));
  }
}
