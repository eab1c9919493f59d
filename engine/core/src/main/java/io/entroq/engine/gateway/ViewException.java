package io.entroq.engine.gateway;

/** A state of the past cannot be shown. */
public final class ViewException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient FeedEnd why;

  /**
   * @param why as a feed that needs the same history would end
   */
  public ViewException(FeedEnd why) {
    // Nobody looks where it was made.
    super(why.text(), null, false, false);
    this.why = why;
  }

  /** As a feed that needs the same history would end. */
  public FeedEnd why() {
    return why;
  }
}
