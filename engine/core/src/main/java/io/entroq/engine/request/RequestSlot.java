package io.entroq.engine.request;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.result.Page;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * One request in flight: its command, its result, and the caller that waits. Slots are pooled.
 *
 * <p>A slot belongs to its caller until it is submitted, then to the engine until it completes, and
 * then to the caller again. A caller that gives up abandons its slot. Completing and abandoning may
 * race; the later one learns that it lost. An abandoned slot is never reused.
 */
public final class RequestSlot {
  private static final int BUFFER_BYTES_FIRST = 512;

  /** How much of each buffer every slot may keep. */
  private static final int BUFFER_BYTES_KEPT = 8 * 1024;

  private static final int OPEN = 0;
  private static final int DONE = 1;
  private static final int ABANDONED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(RequestSlot.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Called when a request ends that no caller blocks for. */
  @FunctionalInterface
  public interface Completion {
    void onComplete(RequestSlot slot);
  }

  private ExpandableArrayBuffer command = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);
  private ExpandableArrayBuffer result = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);

  // Written by the caller before the hand-over.
  public RequestKind kind;
  public int commandOffset;
  public int commandLength;

  /** Whether it is a waiting claim. */
  public boolean waits;

  /** The lane of a claim that can be returned, else null. */
  public Lane lane;

  /** Whether the tasks cannot be delivered to the caller, so they are returned. */
  public boolean isRefused;

  /** The page of a listing to fill, else null. */
  public Page page;

  /**
   * Most bytes that the docs of a ClaimDocs, or the tasks whose leases a Modify changes, may have
   * together; 0: no limit of the caller's.
   */
  public int answerBytesMax;

  /** The sequence that a REACH request waits for. */
  public long awaitedSequence;

  /** Deadline of that wait, as {@link System#nanoTime()}. */
  public long deadlineNs;

  /** Null: the caller blocks. */
  public Completion completion;

  /** Whether the completion may be called on an engine thread or a borrowed one. */
  public boolean isFromGateway;

  /** The borrowed thread that submitted the request and completes it; null: another thread. */
  public BorrowedThread home;

  /** Permits for bytes in flight that the slot holds. */
  int byteUnits;

  // Written by the engine's thread.
  /** Whether the engine has started it. */
  public boolean isTaken;

  /** The sequence that must be forced before the reply may leave. */
  public long sequenceSeen;

  public int resultLength;

  /** The result's code, of {@link ResultCodes}; 0 until there is one. */
  public int resultCode;

  /** Next request that gets the same answer. */
  RequestSlot nextAttached;

  /** Sequence of the record of the parked claim that it waits for; 0: none. */
  public long parkedSequence;

  /** Whether it is a claim without a task yet, so it may wait long. */
  public volatile boolean isParked;

  /** How many tasks and docs of a replica's Modify were promised the space of deleted ones. */
  public int itemsPromised;

  /** Whether to cancel the claim as soon as it is known to wait. */
  public boolean isLeaving;

  // Written by the completing thread.
  private RequestOutcome outcome;
  private Throwable cause;

  private volatile int state;
  private volatile Thread waiter;

  private Object attachment;

  /** An object that callers keep with the buffers, such as codecs; may be null. */
  public Object attachment() {
    return attachment;
  }

  /** Attaches an object, which stays until the slot is cleared after a large request. */
  public void attach(Object newAttachment) {
    attachment = newAttachment;
  }

  /** Where the result is: the page of a listing, else the slot's own buffer. */
  public DirectBuffer replyBuffer() {
    return page == null ? result : page.buffer();
  }

  /** Length of the reply, in bytes. */
  public int replyLength() {
    return page == null ? resultLength : page.length();
  }

  public ExpandableArrayBuffer command() {
    return command;
  }

  public ExpandableArrayBuffer result() {
    return result;
  }

  public RequestOutcome outcome() {
    return outcome;
  }

  /** Why there is no result; null if there is one or no reason is known. */
  public Throwable cause() {
    return cause;
  }

  public boolean isDone() {
    return state == DONE;
  }

  public boolean isAbandoned() {
    return state == ABANDONED;
  }

  /** Whether the request is never repeated, so that a refusal needs no record. */
  public boolean isAskedOnce() {
    return lane != null && !lane.isCallers() && !waits;
  }

  /** Prepares the slot for its next request. */
  void reset(RequestKind kind, boolean waits) {
    this.kind = kind;
    this.waits = waits;
    completion = null;
    isFromGateway = false;
    home = null;
    byteUnits = 0;
    answerBytesMax = 0;
    isRefused = false;
    rearm();
  }

  /** Prepares the slot to be submitted once more for the same request. */
  public void rearm() {
    commandOffset = 0;
    commandLength = 0;
    lane = null;
    page = null;
    isTaken = false;
    isParked = false;
    isLeaving = false;
    itemsPromised = 0;
    sequenceSeen = 0;
    resultLength = 0;
    resultCode = 0;
    nextAttached = null;
    parkedSequence = 0;
    outcome = null;
    cause = null;
    waiter = null;
    state = OPEN;
  }

  /** Bytes of its buffers above what every slot may keep. */
  int extraBytes() {
    return Math.max(0, command.capacity() - BUFFER_BYTES_KEPT)
        + Math.max(0, result.capacity() - BUFFER_BYTES_KEPT);
  }

  /** Clears everything but the buffers. */
  void clear() {
    if (page != null || extraBytes() > 0) {
      // Codecs keep references to what they last encoded or read: a value, a page, a buffer.
      attachment = null;
    }
    completion = null;
    lane = null;
    page = null;
    nextAttached = null;
    cause = null;
  }

  /** Shrinks its buffers. */
  void trim() {
    command = trimmed(command);
    result = trimmed(result);
  }

  private static ExpandableArrayBuffer trimmed(ExpandableArrayBuffer buffer) {
    return buffer.capacity() > BUFFER_BYTES_KEPT
        ? new ExpandableArrayBuffer(BUFFER_BYTES_FIRST)
        : buffer;
  }

  /**
   * Returns the slot to its caller.
   *
   * @return false if the caller has abandoned it; after true the slot must not be touched
   */
  boolean complete(RequestOutcome outcome, Throwable cause) {
    this.outcome = outcome;
    this.cause = cause;
    if (!STATE.compareAndSet(this, OPEN, DONE)) {
      return false;
    }
    // The slot may be in use again already; then the woken thread checks and sleeps on.
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
    return true;
  }

  /**
   * The caller gives up.
   *
   * @return false if the request completed before; then the slot is the caller's
   */
  public boolean abandon() {
    return STATE.compareAndSet(this, OPEN, ABANDONED);
  }

  /** Sets the thread to wake; the caller checks for completion after this and before it parks. */
  public void waitAs(Thread thread) {
    waiter = thread;
  }
}
