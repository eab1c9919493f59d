package io.entroq.engine.gateway;

/**
 * A listing that is read page by page, in memory for one page. A listing of tasks or docs shows
 * each that exists all the time exactly once. For one caller, with one page in flight.
 */
public interface Listing {
  /**
   * Requests the next page, unless the last one was the last.
   *
   * @param completion gets a Result that is valid until the next call of this
   * @throws io.entroq.api.EntroQException like every submission, see {@link Gateway}
   */
  Submission next(Completion completion);

  /** Whether no page follows; known once a page has arrived. */
  boolean isComplete();
}
