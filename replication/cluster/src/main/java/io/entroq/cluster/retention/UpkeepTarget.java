package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.entroq.cluster.service.SnapshotReport;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.maintenance.SnapshotStats;
import java.io.File;
import java.util.Map;
import java.util.Optional;

/** What upkeep sees of a member, and does with it. Any thread. */
public interface UpkeepTarget {
  /** Its place among the members, from 0. */
  int memberId();

  /** Whether it leads, and nobody votes. */
  boolean leads();

  /** Who leads, as far as its session knows, also if it does not follow; negative: nobody. */
  int leaderId();

  /** Whether it follows a leader, or is one. */
  boolean isInTouch();

  /** End of what a majority has, in bytes of the log. */
  long commitPosition();

  /** How many snapshots it has taken since it began, complete with sessions and timers. */
  long snapshotCount();

  /** Sequence of its state. */
  long appliedSequence();

  /** About what log time is, in milliseconds. */
  long timeMs();

  /** Its snapshots in numbers. */
  SnapshotStats snapshots();

  /** Asks for a snapshot of all members; false if that cannot be now. */
  boolean askForSnapshot();

  /** The seed that it has begun with, while the members have not agreed on it. */
  Optional<StateDigest> openSeed();

  /** Says to all members what it has begun with, through the log; it may be lost. */
  void tellSeed(StateDigest seed);

  /** Whether its seed is still there. */
  boolean hasSeed();

  /** Removes its seed. */
  void dropSeed();

  /** Says something to all members, through the log; it may be lost. */
  void tell(SnapshotReport report);

  /** Says to the leader, through the log, that snapshots are wanted; it may be lost. */
  void requestSnapshot();

  /** Directory of its consensus module. */
  File clusterDirectory();

  /** For a new client of its archive. */
  AeronArchive.Context archive();

  /** By member, for new clients of the archives of the others. */
  Map<Integer, AeronArchive.Context> otherArchives();

  /** It cannot go on. */
  void fail(Throwable cause);
}
