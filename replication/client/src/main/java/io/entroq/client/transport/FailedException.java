package io.entroq.client.transport;

/** A listing has failed, or nothing could be sent. */
public final class FailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public FailedException(Failure failure) {
    super(failure.message());
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
