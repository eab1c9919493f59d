package io.entroq.api;

/**
 * Thrown by an {@link EntroQ}. Unchecked, because most callers can only give up.
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

  /** The request can never succeed; the message names the field and the problem. */
  public static final class InvalidArgument extends EntroQException {
    private static final long serialVersionUID = 1L;

    public InvalidArgument(String message) {
      super(message, null);
    }

    public InvalidArgument(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The caller is not authorized; nothing was done. The message names the missing permission. */
  public static final class PermissionDenied extends EntroQException {
    private static final long serialVersionUID = 1L;

    public PermissionDenied(String message) {
      super(message, null);
    }
  }

  /**
   * A limit was reached, such as memory, disk or requests in flight. Temporary; nothing was done.
   */
  public static final class ResourceExhausted extends EntroQException {
    private static final long serialVersionUID = 1L;

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

    public Unavailable(String message) {
      super(message, null);
    }

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /** This EntroQ was closed, or has stopped because of an error; message or cause say why. */
  public static final class Closed extends EntroQException {
    private static final long serialVersionUID = 1L;

    public Closed(String message) {
      super(message, null);
    }

    public Closed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** No task became available in time. Nothing was claimed. */
  public static final class TimedOut extends EntroQException {
    private static final long serialVersionUID = 1L;

    public TimedOut(String message) {
      super(message, null);
    }
  }

  /**
   * The reply was lost; the request may or may not have been applied. Temporary: read the state to
   * find out.
   */
  public static final class OutcomeUnknown extends EntroQException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknown(String message) {
      super(message, null);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /** A Modify or a claim of docs did not match the state; nothing was done. */
  public static final class Dependency extends EntroQException {
    private static final long serialVersionUID = 1L;

    private final transient ModifyResult.DependencyFailure failure;

    public Dependency(ModifyResult.DependencyFailure failure) {
      super(failure.toString(), null);
      this.failure = failure;
    }

    /** All items that did not match; null after deserialization. */
    public ModifyResult.DependencyFailure failure() {
      return failure;
    }
  }
}
