package io.entroq.engine.gateway;

/**
 * A listing that is taken page by page, in memory for one page. Those of tasks and docs show each
 * that is there all the time exactly once. For one caller, who asks for a page at a time.
 */
public interface Listing {
  /**
   * Asks for the next page, the first one to begin with, unless the last one was the last.
   *
   * @param completion gets a Result whose items may be read until the next call of this
   * @throws io.entroq.api.EntroQException as all that submits, see {@link Gateway}
   */
  Submission next(Completion completion);

  /** Whether no page follows; known once a page has come. */
  boolean isComplete();
}
