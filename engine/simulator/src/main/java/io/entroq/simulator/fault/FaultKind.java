package io.entroq.simulator.fault;

import java.util.Locale;

/**
 * A kind of trouble. Its name in options and reports is the constant's, in lower case with dashes.
 */
public enum FaultKind {
  REQUEST_LOST("a request never arrives"),
  REPLY_LOST("a reply never arrives"),
  REQUEST_DELAYED("a request arrives after others that were sent later"),
  REPLY_DELAYED("a reply arrives after others that were sent later"),
  REQUEST_DOUBLED("a request arrives twice"),
  REPLY_DOUBLED("a reply arrives twice"),
  CLIENT_CUT_OFF("nothing passes between a client and the engine for a while"),

  ENGINE_KILLED("the engine's process dies between two events; the page cache stays"),
  ENGINE_DIES_AT_POINT("the engine's process dies at a named point between log, state and force"),
  ENGINE_DIES_AT_DISK("the engine's process dies in one of its calls to the disk"),
  DIES_IN_RECOVERY("the engine's process dies while it opens its directory"),
  POWER_LOST("what was not forced is lost page by page, and each page may be torn"),
  POWER_LOST_IN_RECOVERY("power fails while the engine opens its directory"),
  ENGINE_CLOSED("the engine is closed in order and opened again"),
  ENGINE_STALLED("the engine does nothing for a while"),

  LYING_DISK("what was said to be forced is lost with the power"),
  BIT_FLIPPED_IN_LOG("a bit of the log is flipped while the engine is down"),
  BIT_FLIPPED_IN_SNAPSHOT("a bit of a snapshot is flipped while the engine is down"),
  BIT_FLIPPED_IN_MANIFEST("a bit of a manifest is flipped while the engine is down"),
  FILE_TRUNCATED("a file has lost its end while the engine was down"),
  FILE_MISSING("a file has gone while the engine was down"),
  LOG_END_LOST("the log has lost its end just after a snapshot was taken"),
  DISK_FULL("there is no room for a while"),
  FORCE_FAILS("a force of the log fails"),
  FORCE_SLOW("forces take a hundred times as long for a while"),
  SNAPSHOT_WRITE_FAILS("a write to a snapshot fails"),
  READ_FAILS("a file cannot be read while the engine opens its directory"),

  CLOCK_FORWARD("the wall clock jumps forward"),
  CLOCK_BACK("the wall clock jumps back"),
  CLOCK_FROZEN("the wall clock stands still for a while"),
  CLOCK_DRIFTS("the wall clock runs fast or slow for a while"),

  WORKER_DIES("a worker vanishes with its tasks and comes back as another"),
  WORKER_STALLED("a worker does nothing for longer than its lease, then goes on as if nothing was"),
  POISON_TASK("a task kills every worker that takes it"),
  CLAIM_CANCELLED("a client cancels a claim that waits"),

  PROPOSAL_LOST("the connection of a member to the leader breaks, and what is under way is lost"),
  PROPOSAL_DELAYED("a member's proposals take long to get to the leader"),
  PROPOSAL_DOUBLED("a member proposes once more what has not come back"),
  LEADER_CHANGED("the cluster has no leader for a while; what was not committed may be lost"),
  MEMBER_SLOW("a member hears of the log two hundred times as late for a while"),
  SNAPSHOT_OLDER("a member begins again with an older snapshot than its newest"),
  DISK_REPLACED("a member begins again with an empty disk, and is given another's snapshot"),
  SESSION_CLOSED("the cluster takes the callers of a member for gone that is up");

  private final String effect;

  FaultKind(String effect) {
    this.effect = effect;
  }

  /** Its name in options and reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What happens, in a few words. */
  public String effect() {
    return effect;
  }
}
