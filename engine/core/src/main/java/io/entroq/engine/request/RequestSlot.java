package io.entroq.engine.request;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.result.Page;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * One request on its way: its command, later its result, and who waits for it. Slots are pooled.
 *
 * <p>A slot belongs to its caller until it is handed over, then to the engine until it completes,
 * and then to the caller again. A caller that gives up abandons its slot; whoever comes second, the
 * caller giving up or the engine completing, learns of it, and an abandoned slot is never used
 * again.
 */
public final class RequestSlot {
  private static final int BUFFER_BYTES_FIRST = 512;

  /** What every slot may keep of its buffers, each. */
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

  /** Hears of the end of a request that nobody blocks for. */
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

  /** Whether it is a claim that waits. */
  public boolean waits;

  /** The lane of a claim that can be given back, else null. */
  public Lane lane;

  /** Whether the caller cannot be told what was assigned, so that it goes back. */
  public boolean isRefused;

  /** The page of a listing that is to be filled, else null. */
  public Page page;

  /** How many bytes the docs of a ClaimDocs may have, all together; 0: any number. */
  public int answerBytesMax;

  /** The sequence that the log is to come to, of a request that waits for that. */
  public long awaitedSequence;

  /** Until when it waits for that, as {@link System#nanoTime()} tells time. */
  public long deadlineNs;

  /** Null: the caller blocks. */
  public Completion completion;

  /** Whether the completion may be called on any thread of the engine's or one that is lent. */
  public boolean isOfGateway;

  /** The lent thread that the request came on, which is told of the answer; null: another one. */
  public BorrowedThread home;

  /** Share of the bytes in flight that the slot holds. */
  int byteUnits;

  // Written by the engine's thread.
  /** Whether the engine has begun with it. */
  public boolean isTaken;

  /** The sequence that must be forced before the reply may leave. */
  public long sequenceSeen;

  public int resultLength;

  /** What the result says of itself, of {@link ResultCodes}; 0 until there is one. */
  public int resultCode;

  /** Further requests that get the same answer. */
  RequestSlot nextAttached;

  /** The claim that it waits for, by the sequence of its record; 0: none. */
  public long parkedSequence;

  /**
   * Whether it is a claim for which there is no task yet, so that nobody knows how long it waits.
   */
  public volatile boolean isParked;

  /** How many tasks and docs a Modify of a replica was promised room for where others have been. */
  public int itemsPromised;

  /** Whether a claim is to be left as soon as it is known to wait. */
  public boolean isLeaving;

  // Written by whoever completes.
  private RequestOutcome ending;
  private Throwable cause;

  private volatile int state;
  private volatile Thread waiter;

  private Object attachment;

  /** What the caller's side keeps with the buffers, such as codecs to use again; null: nothing. */
  public Object attachment() {
    return attachment;
  }

  /** Attaches something; it stays when the slot is used again, unless the buffers were large. */
  public void attach(Object newAttachment) {
    attachment = newAttachment;
  }

  /** Where the result is: the page of a listing, else the slot's own buffer. */
  public DirectBuffer replyBuffer() {
    return page == null ? result : page.buffer();
  }

  /** Length of the result, in bytes. */
  public int replyLength() {
    return page == null ? resultLength : page.length();
  }

  public ExpandableArrayBuffer command() {
    return command;
  }

  public ExpandableArrayBuffer result() {
    return result;
  }

  public RequestOutcome ending() {
    return ending;
  }

  /** Why there is no result; null if there is one. */
  public Throwable cause() {
    return cause;
  }

  public boolean isDone() {
    return state == DONE;
  }

  public boolean isAbandoned() {
    return state == ABANDONED;
  }

  /** Whether nobody will ever ask for the answer again, so that a refusal needs no record. */
  public boolean isAskedOnce() {
    return lane != null && !lane.isCallers() && !waits;
  }

  /** Makes the slot ready for its next request. */
  void reset(RequestKind kind, boolean waits) {
    this.kind = kind;
    this.waits = waits;
    completion = null;
    isOfGateway = false;
    home = null;
    byteUnits = 0;
    answerBytesMax = 0;
    isRefused = false;
    rearm();
  }

  /** Makes the slot ready to be handed over once more, for the same request. */
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
    ending = null;
    cause = null;
    waiter = null;
    state = OPEN;
  }

  /** How many bytes its buffers have beyond those that every slot may keep. */
  int extraBytes() {
    return Math.max(0, command.capacity() - BUFFER_BYTES_KEPT)
        + Math.max(0, result.capacity() - BUFFER_BYTES_KEPT);
  }

  /** Lets go what belongs to the request, but for its buffers. */
  void clear() {
    if (page != null || extraBytes() > 0) {
      // Codecs remember what they have last encoded or read: a value, a page, a buffer.
      attachment = null;
    }
    completion = null;
    lane = null;
    page = null;
    nextAttached = null;
    cause = null;
  }

  /** Lets the extra bytes go. */
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
   * Gives the slot back to its caller.
   *
   * @return false if the caller has abandoned it; after true the slot must not be touched
   */
  boolean complete(RequestOutcome ending, Throwable cause) {
    this.ending = ending;
    this.cause = cause;
    if (!STATE.compareAndSet(this, OPEN, DONE)) {
      return false;
    }
    // The slot may be in use again already; then this wakes somebody who looks and sleeps on.
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
    return true;
  }

  /**
   * The caller gives up.
   *
   * @return false if the request had completed before; the slot is the caller's then
   */
  public boolean abandon() {
    return STATE.compareAndSet(this, OPEN, ABANDONED);
  }

  /** Names the thread to wake; the caller looks for completion after this and before it parks. */
  public void waitAs(Thread thread) {
    waiter = thread;
  }
}
