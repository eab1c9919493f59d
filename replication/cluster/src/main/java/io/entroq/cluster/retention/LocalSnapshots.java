package io.entroq.cluster.retention;

import java.util.List;

/** The snapshots that this member holds, as its recording log names them. Upkeep thread. */
final class LocalSnapshots {
  private final UpkeepTarget member;
  private final RecordingLogFile recordingLog;
  private final long beganMs;
  private List<RaftSnapshot> all = List.of();
  private long count = -1;

  LocalSnapshots(UpkeepTarget member) {
    this.member = member;
    recordingLog = new RecordingLogFile(member.clusterDirectory());
    beganMs = member.timeMs();
  }

  /**
   * Looks again if there may be others than before.
   *
   * @return whether that is so
   */
  boolean look() {
    long nowCount = member.snapshotCount();
    if (nowCount == count) {
      return false;
    }
    all = recordingLog.snapshots();
    count = nowCount;
    return true;
  }

  /** Oldest first. */
  List<RaftSnapshot> all() {
    return all;
  }

  /** Where in the log the newest one is; 0: there is none. */
  long position() {
    return all.isEmpty() ? 0 : newest().position();
  }

  /** The same of the one before, from which on the log is kept at least; 0: there is none. */
  long positionBefore() {
    return all.size() < 2 ? 0 : all.get(all.size() - 2).position();
  }

  /** Log time since the newest one, or since the member began. */
  long ageMs() {
    return member.timeMs() - (all.isEmpty() ? beganMs : newest().timeMs());
  }

  private RaftSnapshot newest() {
    return all.get(all.size() - 1);
  }

  /** Has some be none any more, before their recordings are deleted. */
  void invalidate(List<RaftSnapshot> unused) {
    if (!unused.isEmpty()) {
      recordingLog.invalidate(unused);
      all = recordingLog.snapshots();
    }
  }
}
