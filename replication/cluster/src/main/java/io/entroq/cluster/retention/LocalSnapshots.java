package io.entroq.cluster.retention;

import java.util.List;

/** The snapshots that this member holds, read from its recording log. Upkeep thread. */
final class LocalSnapshots {
  private final UpkeepTarget member;
  private final RecordingLogFile recordingLog;
  private final long startMs;
  private List<RaftSnapshot> all = List.of();
  private long count = -1;

  LocalSnapshots(UpkeepTarget member) {
    this.member = member;
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
    if (newCount == count) {
      return false;
    }
    all = recordingLog.snapshots();
    count = newCount;
    return true;
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

  /** Invalidates snapshots before their recordings are deleted. */
  void invalidate(List<RaftSnapshot> unused) {
    if (!unused.isEmpty()) {
      recordingLog.invalidate(unused);
      all = recordingLog.snapshots();
    }
  }
}
