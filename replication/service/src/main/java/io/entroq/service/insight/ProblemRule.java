package io.entroq.service.insight;

/**
 * What is a problem: the same as what the alerts for Prometheus say, which a test compares. The
 * most urgent first.
 */
enum ProblemRule {
  NO_LEADER("EntroqMemberOutOfTouch", Severity.PAGE, 0),
  DISK_FULL("EntroqDiskFull", Severity.PAGE, 1),
  DISK_LOW("EntroqDiskLow", Severity.PAGE, 1),
  MEMORY("EntroqMemoryRefusals", Severity.PAGE, 0),
  DISAGREE("EntroqMembersDisagree", Severity.PAGE, 0),
  QUARANTINE_GROWS("EntroqQuarantineGrows", Severity.TICKET, 0),
  OLDEST_WAITS("EntroqOldestTaskWaits", Severity.TICKET, 900),
  PAUSED("EntroqPausedQueueHasWork", Severity.TICKET, 0),
  BREAKER_OPEN("EntroqBreakerOpen", Severity.TICKET, 0),
  CLAIMED_AGAIN("EntroqTaskClaimedAgainAndAgain", Severity.TICKET, 50),
  TASKS_DIE("EntroqTasksDie", Severity.TICKET, 10),
  LEASES_LAPSE("EntroqLeasesLapse", Severity.TICKET, 10),
  BEHIND("EntroqMemberBehind", Severity.TICKET, 67_108_864),
  SNAPSHOTS_FAIL("EntroqSnapshotsFail", Severity.TICKET, 0),
  FORCES_SLOW("EntroqForcesSlow", Severity.TICKET, 0.1),
  QUEUES_UNKNOWN("EntroqQueuesUnknown", Severity.TICKET, 120);

  /** How urgent it is, as alerts call it. */
  enum Severity {
    PAGE,
    TICKET
  }

  private final String alert;
  private final Severity severity;
  private final double threshold;

  ProblemRule(String alert, Severity severity, double threshold) {
    this.alert = alert;
    this.severity = severity;
    this.threshold = threshold;
  }

  /** The name of the alert. */
  String alert() {
    return alert;
  }

  Severity severity() {
    return severity;
  }

  /** What must be exceeded, in the unit of the alert. */
  double threshold() {
    return threshold;
  }
}
