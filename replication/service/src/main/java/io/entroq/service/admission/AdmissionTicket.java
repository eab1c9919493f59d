package io.entroq.service.admission;

import com.google.protobuf.MessageLite;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that goes on when it is its turn, and what it takes of the room meanwhile. Stands between
 * the transport and the call itself, for both. Any thread.
 */
final class AdmissionTicket<S extends MessageLite> implements Call, Reply<S> {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionTicket.class);

  private static final Refusal WITHDRAWN =
      new Refusal(
          Status.Code.CANCELLED, "the call was withdrawn before it was its turn; nothing was done");

  private static final Refusal FAULT =
      new Refusal(Status.Code.INTERNAL, "a fault of this server, which its log describes");

  /**
   * For an answer up to that there is always room for whoever has not more than its share: there
   * are no more of them than calls.
   */
  private static final int SMALL_BYTES = 16 << 10;

  private final Admission admission;
  private final ConcurrencyLimit room;
  private final Reply<S> reply;
  private final OptionalLong deadlineNanos;
  private final Origin origin;
  private final int requestBytes;
  private final Kind kind;
  private Function<AdmissionTicket<S>, Call> beginning;
  private Call call;
  private Future<?> limit;
  private long bytes;
  private boolean hasPlace;
  private boolean hasBegun;
  private boolean hasRoomForAll;
  private int attempts;
  private boolean isCancelled;
  private boolean isDelivered;
  private boolean isReadyTold;
  private boolean isWithdrawn;

  /** What the answer is like. */
  enum Kind {
    /** One message, of which nothing is in memory before it is there. */
    ONE_ANSWER,
    /** One message that is put together page by page. */
    LISTING,
    /** Several messages, of which no more than a page is in memory at a time. */
    STREAM
  }

  /**
   * @param requestBytes how long the request is
   * @param answerBytes what is kept free for its answer at first
   * @param beginning begins the call; is to answer to this
   */
  AdmissionTicket(
      Admission admission,
      ConcurrencyLimit room,
      Reply<S> reply,
      CallContext context,
      int requestBytes,
      int answerBytes,
      Kind kind,
      Function<AdmissionTicket<S>, Call> beginning) {
    this.admission = admission;
    this.room = room;
    this.reply = reply;
    deadlineNanos = context.deadlineNanos();
    origin = context.origin();
    this.requestBytes = requestBytes;
    this.kind = kind;
    this.beginning = beginning;
    bytes = (long) requestBytes + answerBytes;
  }

  /** Whose share it takes. */
  Origin origin() {
    return origin;
  }

  int requestBytes() {
    return requestBytes;
  }

  /** What it takes when it begins. */
  synchronized long bytes() {
    return bytes;
  }

  OptionalLong deadlineNanos() {
    return deadlineNanos;
  }

  /** Sets what ends its wait. */
  void limitTo(Future<?> timeout) {
    boolean isLate;
    synchronized (this) {
      limit = timeout;
      isLate = hasBegun || isCancelled;
    }
    if (isLate) {
      timeout.cancel(false);
    }
  }

  /** It is its turn; its place and its bytes have been taken for it. */
  void begin() {
    Function<AdmissionTicket<S>, Call> begins;
    Future<?> timeout;
    int attempt;
    synchronized (this) {
      begins = beginning;
      if (kind != Kind.LISTING || hasRoomForAll) {
        // What is under way keeps no more of its request than it needs itself.
        beginning = null;
      }
      hasBegun = true;
      hasPlace = true;
      attempt = ++attempts;
      timeout = limit;
    }
    if (timeout != null) {
      timeout.cancel(false);
    }
    Call begun;
    try {
      begun = begins.apply(this);
    } catch (Throwable t) {
      // It was not to throw. All the same others wait for the room that this has.
      LOG.error("A call met a fault of this server when it began.", t);
      fail(FAULT);
      return;
    }
    tell(begun, attempt);
  }

  /** Tells the call what has been told of it while it began, on other threads. */
  private void tell(Call begun, int attempt) {
    boolean cancel;
    boolean deliver;
    boolean ready;
    boolean withdraw;
    synchronized (this) {
      if (attempt != attempts || !hasBegun) {
        // There was no room for what it found, and it is begun anew.
        return;
      }
      call = begun;
      cancel = isCancelled;
      deliver = isDelivered;
      ready = isReadyTold;
      withdraw = isWithdrawn;
    }
    if (cancel) {
      begun.cancel();
      release();
    } else if (deliver) {
      begun.delivered();
      release();
    } else if (withdraw) {
      begun.withdraw();
    } else if (ready) {
      begun.ready();
    }
  }

  @Override
  public void withdraw() {
    Call begun;
    synchronized (this) {
      isWithdrawn = true;
      begun = call;
    }
    if (begun != null) {
      begun.withdraw();
    } else if (room.withdraw(this)) {
      cancelLimit();
      reply.fail(WITHDRAWN);
    }
  }

  @Override
  public void cancel() {
    Call begun;
    synchronized (this) {
      isCancelled = true;
      begun = call;
    }
    if (begun != null) {
      begun.cancel();
      release();
    } else if (room.withdraw(this)) {
      cancelLimit();
    }
  }

  private void cancelLimit() {
    Future<?> timeout;
    synchronized (this) {
      timeout = limit;
    }
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  @Override
  public void delivered() {
    Call begun;
    synchronized (this) {
      isDelivered = true;
      begun = call;
    }
    if (begun != null) {
      begun.delivered();
      release();
    }
  }

  @Override
  public void ready() {
    Call begun;
    synchronized (this) {
      isReadyTold = true;
      begun = call;
    }
    if (begun != null) {
      begun.ready();
    }
  }

  @Override
  public boolean isReady() {
    return reply.isReady();
  }

  @Override
  public void position(long position) {
    reply.position(position);
  }

  /**
   * Keeps so much free for what lists things. If that is not there, a listing gives back what it
   * has, and waits for the room that the longest answer needs: so those that go on never wait for
   * each other.
   */
  @Override
  public boolean holds(long answerBytes) {
    if (kind == Kind.STREAM) {
      holdPage(answerBytes);
      return true;
    }
    long held;
    synchronized (this) {
      long more = requestBytes + answerBytes - bytes;
      if (kind != Kind.LISTING || !hasPlace || hasRoomForAll || isCancelled || more <= 0) {
        return true;
      }
      if (room.bytes().tryTake(origin, more, bytes)) {
        bytes += more;
        return true;
      }
      held = bytes;
      bytes = (long) requestBytes + admission.answerBytesMax();
      hasRoomForAll = true;
      hasPlace = false;
      hasBegun = false;
      call = null;
    }
    room.bytes().give(origin, held);
    room.leave(this);
    room.enter(this);
    admission.admit();
    return false;
  }

  @Override
  public boolean hasRoom(long answerBytes) {
    if (answerBytes <= SMALL_BYTES && room.bytes().isWithinShare(origin)) {
      return true;
    }
    if (!reply.hasRoom(answerBytes)) {
      return false;
    }
    synchronized (this) {
      long more = answerBytes - bytes;
      if (!hasPlace || more <= 0) {
        return true;
      }
      boolean isTaken = room.bytes().tryTake(origin, more, bytes);
      bytes += isTaken ? more : 0;
      return isTaken;
    }
  }

  private void holdPage(long pageBytes) {
    long less;
    synchronized (this) {
      if (!hasPlace) {
        return;
      }
      less = bytes - requestBytes - pageBytes;
      bytes -= less;
    }
    room.bytes().give(origin, less);
    admission.admit();
  }

  @Override
  public void send(S response) {
    if (kind != Kind.STREAM) {
      // From here on it is the answer that takes memory, until it has left.
      holdOnly(response.getSerializedSize());
    }
    reply.send(response);
  }

  @Override
  public void complete() {
    reply.complete();
  }

  @Override
  public void fail(Refusal refusal) {
    try {
      reply.fail(refusal);
    } finally {
      release();
    }
  }

  private void holdOnly(int answerBytes) {
    long less;
    boolean isPlaceFree = false;
    synchronized (this) {
      if (!hasPlace && bytes == 0) {
        return;
      }
      less = bytes - answerBytes;
      bytes = answerBytes;
      if (!room.isHeldUntilDelivered()) {
        isPlaceFree = hasPlace;
        hasPlace = false;
      }
    }
    room.bytes().give(origin, less);
    if (isPlaceFree) {
      room.leave(this);
    }
    admission.admit();
  }

  /** Gives back what it still has. */
  private void release() {
    long held;
    boolean isPlaceFree;
    synchronized (this) {
      if (!hasBegun || (!hasPlace && bytes == 0)) {
        // It has never begun, or has given all of it back.
        return;
      }
      held = bytes;
      bytes = 0;
      isPlaceFree = hasPlace;
      hasPlace = false;
    }
    room.bytes().give(origin, held);
    if (isPlaceFree) {
      room.leave(this);
    }
    admission.admit();
  }
}
