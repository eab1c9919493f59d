package io.entroq.simulator.client.worker;

import java.util.List;

/** The queues of these workers, which no other clients use. */
final class WorkQueues {
  static final String INBOX = "workers/inbox";
  static final String SECOND = "workers/second";
  static final String DONE = "workers/done";
  static final String ERRORS = "workers/errors";

  /** Used once, at the end. */
  static final String LAST = "workers/last";

  static final List<String> OPEN = List.of(INBOX, SECOND);

  /** Queues with finished work, to be checked and deleted. */
  static final List<String> FINISHED = List.of(DONE, ERRORS);

  private WorkQueues() {}
}
