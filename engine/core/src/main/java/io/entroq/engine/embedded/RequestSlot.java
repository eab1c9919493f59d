package io.entroq.engine.embedded;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.result.Page;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ExpandableArrayBuffer;

/**
 * One request on its way: its command, later its result, and who waits for it. Slots are pooled.
 *
 * <p>A slot belongs to its caller until it is handed over, then to the engine until it completes,
 * and then to the caller again. A caller that gives up abandons its slot; whoever comes second, the
 * caller giving up or the engine completing, learns of it, and an abandoned slot is never used
 * again.
 */
final class RequestSlot {
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
  interface Completion {
    void onComplete(RequestSlot slot);
  }

  private ExpandableArrayBuffer command = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);
  private ExpandableArrayBuffer result = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);

  // Written by the caller before the hand-over.
  RequestKind kind;
  int commandOffset;
  int commandLength;

  /** Whether it is a claim that waits. */
  boolean waits;

  /** The lane of a claim that can be given back, else null. */
  Lane lane;

  /** Whether the caller cannot be told what was assigned, so that it goes back. */
  boolean isRefused;

  /** The page of a listing that is to be filled, else null. */
  Page page;

  /** How many bytes the docs of a ClaimDocs may have, all together; 0: any number. */
  int answerBytesMax;

  /** The sequence that the log is to come to, of a request that waits for that. */
  long awaitedSequence;

  /** Until when it waits for that, as {@link System#nanoTime()} tells time. */
  long deadlineNs;

  /** Null: the caller blocks. */
  Completion completion;

  /** Whether the completion may be called on any thread of the engine's or one that is lent. */
  boolean isOfGateway;

  /** The lent thread that the request came on, which is told of the answer; null: another one. */
  LentThread home;

  /** Share of the bytes in flight that the slot holds. */
  int byteUnits;

  // Written by the engine's thread.
  /** Whether the engine has begun with it. */
  boolean isTaken;

  /** The sequence that must be forced before the reply may leave. */
  long sequenceSeen;

  int resultLength;

  /** What the result says of itself, of {@link ResultCodes}; 0 until there is one. */
  int resultCode;

  /** Further requests that get the same answer. */
  RequestSlot nextAttached;

  /** The claim that it waits for, by the sequence of its record; 0: none. */
  long parkedSequence;

  /**
   * Whether it is a claim for which there is no task yet, so that nobody knows how long it waits.
   */
  volatile boolean isParked;

  /** How many tasks and docs a Modify of a replica was promised room for where others have been. */
  int itemsPromised;

  /** Whether a claim is to be left as soon as it is known to wait. */
  boolean isLeaving;

  // Written by whoever completes.
  private Ending ending;
  private Throwable cause;

  private volatile int state;
  private volatile Thread waiter;

  private RequestEncoder encoder;
  private ReplyReader reader;

  RequestEncoder encoder() {
    if (encoder == null) {
      encoder = new RequestEncoder();
    }
    return encoder;
  }

  /** What has been answered. */
  ReplyReader reply() {
    if (reader == null) {
      // Thousands of claims may wait without a reply.
      reader = new ReplyReader();
    }
    return page == null
        ? reader.wrap(result, resultLength)
        : reader.wrap(page.buffer(), page.length());
  }

  ExpandableArrayBuffer command() {
    return command;
  }

  ExpandableArrayBuffer result() {
    return result;
  }

  Ending ending() {
    return ending;
  }

  /** Why there is no result; null if there is one. */
  Throwable cause() {
    return cause;
  }

  boolean isDone() {
    return state == DONE;
  }

  boolean isAbandoned() {
    return state == ABANDONED;
  }

  /** Whether nobody will ever ask for the answer again, so that a refusal needs no record. */
  boolean isAskedOnce() {
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
  void rearm() {
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
      // They remember what they have last encoded or read: a value, a page, a buffer.
      encoder = null;
      reader = null;
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
  boolean complete(Ending ending, Throwable cause) {
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
  boolean abandon() {
    return STATE.compareAndSet(this, OPEN, ABANDONED);
  }

  /** Names the thread to wake; the caller looks for completion after this and before it parks. */
  void waitAs(Thread thread) {
    waiter = thread;
  }
}
