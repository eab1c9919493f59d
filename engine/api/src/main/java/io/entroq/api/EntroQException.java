package io.entroq.api;

/**
 * What an EntroQ throws. Unchecked: most callers have nothing better to do than to give up.
 *
 * <p>That a Modify does not fit the state is no exception but a {@link
 * ModifyResult.DependencyFailure}; it becomes one in {@link ModifyResult#orThrow()}.
 */
public abstract sealed class EntroQException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private EntroQException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether the same request may well succeed later. */
  public boolean isTemporary() {
    return false;
  }

  /** The request can never succeed as it stands; the message names the field. */
  public static final class InvalidArgument extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong with which field. */
    public InvalidArgument(String message) {
      super(message, null);
    }

    /** Says what is wrong with which field, and what found out. */
    public InvalidArgument(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The caller may not do this; nothing was done. The message says what is not allowed. */
  public static final class PermissionDenied extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says what is not allowed. */
    public PermissionDenied(String message) {
      super(message, null);
    }
  }

  /** A bound was reached: of memory, disk, requests under way. Temporary; nothing was done. */
  public static final class ResourceExhausted extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says which bound. */
    public ResourceExhausted(String message) {
      super(message, null);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /** Nobody could be asked. Temporary; nothing was done. */
  public static final class Unavailable extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says who could not be asked, and why. */
    public Unavailable(String message) {
      super(message, null);
    }

    /** Says who could not be asked, and why. */
    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /** This EntroQ is closed, or has stopped by itself; the message or the cause says why. */
  public static final class Closed extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says what is closed. */
    public Closed(String message) {
      super(message, null);
    }

    /** Says what is closed, and why. */
    public Closed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The time that the caller had given was up. Nothing was claimed. */
  public static final class TimedOut extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says what took how long. */
    public TimedOut(String message) {
      super(message, null);
    }
  }

  /** The request may have been done or not. Temporary: the answer may be found by looking. */
  public static final class OutcomeUnknown extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says what happened to the reply. */
    public OutcomeUnknown(String message) {
      super(message, null);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /** A Modify did not fit the state; nothing was done. */
  public static final class Dependency extends EntroQException {
    private static final long serialVersionUID = 1L;

    private final transient ModifyResult.DependencyFailure failure;

    /** Wraps the failure. */
    public Dependency(ModifyResult.DependencyFailure failure) {
      super(failure.toString(), null);
      this.failure = failure;
    }

    /** Every item that did not fit; null after serialization. */
    public ModifyResult.DependencyFailure failure() {
      return failure;
    }
  }
}
