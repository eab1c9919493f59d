package io.entroq.simulator.client.knowledge;

import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.call.Request;

/** What the clients of a world have done. The counters only grow, except for that of open tasks. */
public final class ClientCounters {
  private final long[] requestsByType = new long[Request.LIST_NAMESPACES + 1];
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

  /** What nobody has confirmed has been done all the same. */
  public void assumed(int inserts, int deletes) {
    openTasks = Math.max(0, openTasks + inserts - deletes);
  }

  public void refused() {
    refusals++;
  }

  public void emptied() {
    openTasks = 0;
  }

  /** Requests that were sent, those that were sent again included. */
  public long requests() {
    return requests;
  }

  /** Requests of a type that were sent: as in {@link Request}. */
  public long requests(int type) {
    return requestsByType[type];
  }

  /** Requests that were sent again for want of an answer. */
  public long resends() {
    return resends;
  }

  /** Modifies whose clients know that they were done. */
  public long commits() {
    return commits;
  }

  /** Requests that were first answered with a code of {@link ResultCodes}. */
  public long answers(int code) {
    return answersByCode[code];
  }

  /** Replies that were no answers: no room, or nobody there. */
  public long refusals() {
    return refusals;
  }

  /** About how many tasks there are, as far as clients know. */
  public long openTasks() {
    return openTasks;
  }
}
