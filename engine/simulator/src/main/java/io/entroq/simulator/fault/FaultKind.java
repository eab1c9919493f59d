package io.entroq.simulator.fault;

import java.util.Locale;

/**
 * A kind of fault. Its name in options and reports is the constant's, in lower case with dashes.
 */
public enum FaultKind {
  REQUEST_LOST("a request never arrives"),
  REPLY_LOST("a reply never arrives"),
  REQUEST_DELAYED("a request arrives after others that were sent later"),
  REPLY_DELAYED("a reply arrives after others that were sent later"),
  REQUEST_DOUBLED("a request arrives twice"),
  REPLY_DOUBLED("a reply arrives twice"),
  CLIENT_CUT_OFF("no messages pass between a client and the engine for a while"),

  ENGINE_KILLED("the engine's process dies between two events; the page cache survives"),
  ENGINE_DIES_AT_POINT("the engine's process dies at a named point between log, state and force"),
  ENGINE_DIES_AT_DISK("the engine's process dies in one of its disk operations"),
  DIES_IN_RECOVERY("the engine's process dies while it opens its directory"),
  POWER_LOST("unforced data is lost page by page, and any page may be torn"),
  POWER_LOST_IN_RECOVERY("power fails while the engine opens its directory"),
  ENGINE_CLOSED("the engine is closed cleanly and opened again"),
  ENGINE_STALLED("the engine pauses for a while"),

  LYING_DISK("data that was reported as forced is lost with the power"),
  BIT_FLIPPED_IN_LOG("a bit of the log flips while the engine is down"),
  BIT_FLIPPED_IN_SNAPSHOT("a bit of a snapshot flips while the engine is down"),
  BIT_FLIPPED_IN_MANIFEST("a bit of a manifest flips while the engine is down"),
  FILE_TRUNCATED("a file loses its end while the engine is down"),
  FILE_MISSING("a file disappears while the engine is down"),
  LOG_END_LOST("the log loses its end right after a snapshot was taken"),
  DISK_FULL("the disk is full for a while"),
  FORCE_FAILS("a force of the log fails"),
  FORCE_SLOW("forces take a hundred times as long for a while"),
  SNAPSHOT_WRITE_FAILS("a write to a snapshot fails"),
  READ_FAILS("a file cannot be read while the engine opens its directory"),

  CLOCK_FORWARD("the wall clock jumps forward"),
  CLOCK_BACK("the wall clock jumps back"),
  CLOCK_FROZEN("the wall clock stands still for a while"),
  CLOCK_DRIFTS("the wall clock runs fast or slow for a while"),

  WORKER_DIES("a worker dies with its tasks and is replaced"),
  WORKER_STALLED(
      "a worker pauses for longer than its lease, then continues as if nothing had happened"),
  POISON_TASK("a task kills every worker that takes it"),
  CLAIM_CANCELLED("a client cancels a waiting claim"),

  PROPOSAL_LOST("a member's connection to the leader breaks, and the messages in flight are lost"),
  PROPOSAL_DELAYED("a member's proposals reach the leader late"),
  PROPOSAL_DOUBLED("a member repeats a proposal that has not come back"),
  LEADER_CHANGED("the cluster has no leader for a while; uncommitted entries may be lost"),
  MEMBER_SLOW("a member receives the log two hundred times as late for a while"),
  SNAPSHOT_OLDER("a member restarts from an older snapshot than its newest"),
  DISK_REPLACED("a member restarts with an empty disk and gets another member's snapshot"),
  SESSION_CLOSED("the cluster closes the session of a member that is running");

  private final String effect;

  FaultKind(String effect) {
    this.effect = effect;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What happens, in a few words. */
  public String effect() {
    return effect;
  }
}
