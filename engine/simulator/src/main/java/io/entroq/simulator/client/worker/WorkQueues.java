package io.entroq.simulator.client.worker;

import java.util.List;

/** The queues of the workers of this kind, which nobody else uses. */
final class WorkQueues {
  static final String INBOX = "workers/inbox";
  static final String SECOND = "workers/second";
  static final String DONE = "workers/done";
  static final String ERRORS = "workers/errors";

  /** Used once, at the end. */
  static final String LAST = "workers/last";

  /** Where there is something to do. */
  static final List<String> OPEN = List.of(INBOX, SECOND);

  /** Where there is something to bury. */
  static final List<String> FINISHED = List.of(DONE, ERRORS);

  private WorkQueues() {}
}
