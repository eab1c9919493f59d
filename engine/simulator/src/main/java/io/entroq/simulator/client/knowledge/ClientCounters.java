package io.entroq.simulator.client.knowledge;

import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.call.Request;

/** Counters of all clients of a world. They only grow, except for the open tasks. */
public final class ClientCounters {
  private final long[] requestsByType = new long[Request.TASK_POSITION + 1];
  private final long[] answersByCode = new long[ResultCodes.MAX + 1];
  private long requests;
  private long resends;
  private long commits;
  private long refusals;
  private long openTasks;

  public ClientCounters() {}

  public void sent(int type, boolean isRetry) {
    requests++;
    requestsByType[type]++;
    if (isRetry) {
      resends++;
    }
  }

  public void answered(int code) {
    answersByCode[code]++;
  }

  public void committed(int inserts, int deletes) {
    commits++;
    assumed(inserts, deletes);
  }

  /** A Modify was executed without a confirmation. */
  public void assumed(int inserts, int deletes) {
    openTasks = Math.max(0, openTasks + inserts - deletes);
  }

  public void refused() {
    refusals++;
  }

  public void emptied() {
    openTasks = 0;
  }

  /** Requests, including resends. */
  public long requests() {
    return requests;
  }

  /** Requests of a type of {@link Request}, including resends. */
  public long requests(int type) {
    return requestsByType[type];
  }

  /** Resends of unanswered requests. */
  public long resends() {
    return resends;
  }

  /** Modifies that their clients know to be done. */
  public long commits() {
    return commits;
  }

  /** First answers with a code of {@link ResultCodes}. */
  public long answers(int code) {
    return answersByCode[code];
  }

  /** Replies without an answer: resources exhausted, or service down. */
  public long refusals() {
    return refusals;
  }

  /** The approximate number of tasks, as far as clients know. */
  public long openTasks() {
    return openTasks;
  }
}
