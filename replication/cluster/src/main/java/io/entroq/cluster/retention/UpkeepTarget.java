package io.entroq.cluster.retention;

import io.aeron.archive.client.AeronArchive;
import io.entroq.cluster.service.SnapshotReport;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.maintenance.SnapshotStats;
import java.io.File;
import java.util.Map;
import java.util.Optional;

/** The upkeep thread's view of a member. Any thread. */
public interface UpkeepTarget {
  int memberId();

  /** Whether the member leads and no election runs. */
  boolean isLeader();

  /** The leader of the member's session, even during an election; negative if there is none. */
  int leaderId();

  /** Whether the member follows a leader, or leads. */
  boolean hasLeader();

  /** The committed end of the log, in bytes. */
  long commitPosition();

  /**
   * Number of recorded snapshots since the start, including those of the consensus module. Their
   * images may be incomplete.
   */
  long snapshotCount();

  /** The sequence of the state. */
  long appliedSequence();

  /** The approximate log time, in milliseconds. */
  long timeMs();

  SnapshotStats snapshots();

  /** Requests a snapshot of all members; false if that is not possible now. */
  boolean takeSnapshot();

  /** Whether the cluster is closed, on the leader and on followers: its members will change. */
  boolean isClosed();

  /**
   * Goes on with a stop of all members that this member was asked for, or has to see to as the
   * leader of a closed cluster. May have no effect yet, so it is called again and again.
   */
  void requestStop();

  /** The seed that the member started from, until all members agree on it. */
  Optional<StateDigest> unconfirmedSeed();

  /** Sends the seed's digest to all members through the log. It may be lost. */
  void sendSeed(StateDigest seed);

  /** Whether the seed's files exist. */
  boolean hasSeed();

  void deleteSeed();

  /** Sends a report to all members through the log. It may be lost. */
  void send(SnapshotReport report);

  /** Asks the leader for a snapshot through the log. The request may be lost. */
  void requestSnapshot();

  /** The consensus module's directory. */
  File clusterDirectory();

  /** The context of a new client of the member's archive. */
  AeronArchive.Context archive();

  /** Contexts of new clients of the other members' archives, by member. */
  Map<Integer, AeronArchive.Context> otherArchives();

  /** Ends the member because of a failure. */
  void fail(Throwable cause);
}
