package io.entroq.api;

import java.util.Optional;

/**
 * Thrown by an {@link EntroQ}, and by what goes with it: codecs, engines, clients, feeds and their
 * sinks, but not by tools such as backups and views, which have exceptions of their own. Unchecked,
 * because most callers can only give up.
 *
 * <p>A Modify whose dependencies fail returns a {@link ModifyResult.DependencyFailure} instead;
 * {@link ModifyResult#orThrow()} throws it as {@link Dependency}.
 *
 * <p>What else is thrown tells of something other than a queue: {@link IllegalStateException} and
 * {@link IllegalArgumentException} that the program is put together or calls in a wrong way, {@link
 * NullPointerException} that an argument is null, {@link InterruptedException} that the thread was
 * interrupted, and {@link java.util.concurrent.CancellationException} that a handler or a future
 * was cancelled.
 */
public abstract sealed class EntroQException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Null if there is none, as Optional is not serializable. */
  private final String fullQueue;

  private EntroQException(String message) {
    this(message, Optional.empty());
  }

  private EntroQException(String message, Optional<String> fullQueue) {
    super(message);
    this.fullQueue = fullQueue.orElse(null);
  }

  private EntroQException(String message, Throwable cause) {
    super(message, cause);
    this.fullQueue = null;
  }

  /**
   * The queue in which a modification would have had too many or too large tasks, if it was refused
   * for that: a {@link ResourceExhausted} if there may be room for them later, an {@link
   * InvalidArgument} if not. It is named as in the modification, which may name a topic.
   */
  public Optional<String> fullQueue() {
    return Optional.ofNullable(fullQueue);
  }

  /** Whether the same request may succeed later. */
  public boolean isTemporary() {
    return false;
  }

  /** The request can never succeed; the message names the field and the problem. */
  public static final class InvalidArgument extends EntroQException {
    private static final long serialVersionUID = 1L;

    public InvalidArgument(String message) {
      super(message);
    }

    public InvalidArgument(String message, Throwable cause) {
      super(message, cause);
    }

    public InvalidArgument(String message, Optional<String> fullQueue) {
      super(message, fullQueue);
    }
  }

  /** The caller is not authorized; nothing was done. The message names the missing permission. */
  public static final class PermissionDenied extends EntroQException {
    private static final long serialVersionUID = 1L;

    public PermissionDenied(String message) {
      super(message);
    }
  }

  /**
   * A limit was reached, such as memory, disk or requests in flight. Temporary; nothing was done.
   */
  public static final class ResourceExhausted extends EntroQException {
    private static final long serialVersionUID = 1L;

    public ResourceExhausted(String message) {
      super(message);
    }

    public ResourceExhausted(String message, Optional<String> fullQueue) {
      super(message, fullQueue);
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
      super(message);
    }

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /**
   * This EntroQ was closed, or has stopped because of an error; message or cause say why. The
   * outcome of a write that was under way is then unknown.
   */
  public static final class Closed extends EntroQException {
    private static final long serialVersionUID = 1L;

    public Closed(String message) {
      super(message);
    }

    public Closed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * No task became available in time. What the claim was assigned meanwhile is returned; if the
   * server is away, when the lease ends.
   */
  public static final class TimedOut extends EntroQException {
    private static final long serialVersionUID = 1L;

    public TimedOut(String message) {
      super(message);
    }
  }

  /**
   * A feed cannot begin where it was asked to: what follows is no longer kept, or has not happened.
   */
  public static final class OutOfRange extends EntroQException {
    private static final long serialVersionUID = 1L;

    private final long first;
    private final long last;

    /**
     * @param first the first step whose effects are kept
     * @param last the last step there is; below the first if none is kept
     */
    public OutOfRange(String message, long first, long last) {
      super(message);
      this.first = first;
      this.last = last;
    }

    /** The first step whose effects are kept. */
    public long first() {
      return first;
    }

    /** The last step there is; below {@link #first} if none is kept. */
    public long last() {
      return last;
    }
  }

  /**
   * The reply was lost; the request may or may not have been applied. Temporary: read the state to
   * find out.
   */
  public static final class OutcomeUnknown extends EntroQException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknown(String message) {
      super(message);
    }

    @Override
    public boolean isTemporary() {
      return true;
    }
  }

  /** An object cannot be encoded as a value, or a value cannot be decoded; the message says why. */
  public static final class Codec extends EntroQException {
    private static final long serialVersionUID = 1L;

    public Codec(String message) {
      super(message);
    }

    public Codec(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The data directory of an engine is in use, damaged, or cannot be read or written; the message
   * says what, where and what to do.
   */
  public static final class Storage extends EntroQException {
    private static final long serialVersionUID = 1L;

    public Storage(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Something beside the queue has failed, such as a sink of a feed; the subclass says what. */
  public abstract static non-sealed class Extension extends EntroQException {
    private static final long serialVersionUID = 1L;

    protected Extension(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A Modify or a claim of docs did not match the state; nothing was done. */
  public static final class Dependency extends EntroQException {
    private static final long serialVersionUID = 1L;

    private final transient ModifyResult.DependencyFailure failure;

    public Dependency(ModifyResult.DependencyFailure failure) {
      super(failure.toString());
      this.failure = failure;
    }

    /** All items that did not match; null after deserialization. */
    public ModifyResult.DependencyFailure failure() {
      return failure;
    }
  }
}
