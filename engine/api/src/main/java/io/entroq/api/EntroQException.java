package io.entroq.api;

/**
 * What an EntroQ throws. Unchecked, because most callers can only give up.
 *
 * <p>A Modify whose dependencies fail returns a {@link ModifyResult.DependencyFailure} instead;
 * {@link ModifyResult#orThrow()} throws it as {@link Dependency}.
 */
public abstract sealed class EntroQException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private EntroQException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether the same request may succeed later. */
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

  /** A limit was reached: memory, disk, or requests in flight. Temporary; nothing was done. */
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

  /** No server could be reached. Temporary; nothing was done. */
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

  /** No task was available within the time that the caller gave. Nothing was claimed. */
  public static final class TimedOut extends EntroQException {
    private static final long serialVersionUID = 1L;

    /** Says what took how long. */
    public TimedOut(String message) {
      super(message, null);
    }
  }

  /** The request may or may not have been applied. Temporary: read the state to find out. */
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

  /** The dependencies of a Modify failed; nothing was done. */
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
