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
 * A call that starts when its limit has room, and what it takes of the limit meanwhile. Stands
 * between the transport and the call itself, both ways. Any thread.
 */
final class AdmissionTicket<S extends MessageLite> implements Call, Reply<S> {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionTicket.class);

  private static final Refusal WITHDRAWN =
      new Refusal(
          Status.Code.CANCELLED, "the call was withdrawn before it was admitted; nothing was done");

  /**
   * A response up to this size always has room if its origin is within its share: there are no more
   * of them than calls.
   */
  private static final int SMALL_BYTES = 16 << 10;

  private final Admission admission;
  private final ConcurrencyLimit limit;
  private final Reply<S> reply;
  private final OptionalLong deadlineNanos;
  private final Origin origin;
  private final int requestBytes;
  private final Kind kind;
  private Function<Reply<S>, Call> startCall;
  private Call call;
  private Future<?> expiry;
  private long bytes;
  private boolean hasPlace;
  private boolean hasStarted;
  private boolean hasRoomForWhole;
  private int attempts;
  private boolean isCancelled;
  private boolean isDelivered;
  private boolean isReady;
  private boolean isWithdrawn;

  /** What the response is like. */
  enum Kind {
    /** One message, nothing of which is in memory before it is made. */
    ONE_RESPONSE,
    /** One message that is built page by page. */
    LISTING,
    /** Several messages, at most a page of which is in memory at a time. */
    STREAM
  }

  /**
   * @param responseBytes reserved for the response when the call starts
   * @param startCall starts the call, with this as its reply
   */
  AdmissionTicket(
      Admission admission,
      ConcurrencyLimit limit,
      Reply<S> reply,
      CallContext context,
      int requestBytes,
      int responseBytes,
      Function<Reply<S>, Call> startCall) {
    this.admission = admission;
    this.limit = limit;
    this.reply = reply;
    deadlineNanos = context.deadlineNanos();
    origin = context.origin();
    this.requestBytes = requestBytes;
    kind = limit.kind();
    this.startCall = startCall;
    bytes = (long) requestBytes + responseBytes;
  }

  /** Whose share it takes. */
  Origin origin() {
    return origin;
  }

  int requestBytes() {
    return requestBytes;
  }

  /** The bytes that it takes when it starts. */
  synchronized long bytes() {
    return bytes;
  }

  OptionalLong deadlineNanos() {
    return deadlineNanos;
  }

  /** Sets the timer that ends its wait. */
  void expireBy(Future<?> timeout) {
    boolean isLate;
    synchronized (this) {
      expiry = timeout;
      isLate = hasStarted || isCancelled;
    }
    if (isLate) {
      timeout.cancel(false);
    }
  }

  /** Starts the call, whose place and bytes have been taken. */
  void start() {
    Function<Reply<S>, Call> starts;
    Future<?> timeout;
    int attempt;
    synchronized (this) {
      starts = startCall;
      if (kind != Kind.LISTING || hasRoomForWhole) {
        // Not started again: lets go of the request.
        startCall = null;
      }
      hasStarted = true;
      hasPlace = true;
      attempt = ++attempts;
      timeout = expiry;
    }
    if (timeout != null) {
      timeout.cancel(false);
    }
    Call started;
    try {
      started = starts.apply(this);
    } catch (Throwable t) {
      // Not expected; others wait for the room that this has.
      LOG.error("A call met a fault of this server when it started.", t);
      fail(Refusal.FAULT);
      return;
    }
    tell(started, attempt);
  }

  /** Passes on what other threads told this while the call started. */
  private void tell(Call started, int attempt) {
    boolean cancel;
    boolean deliver;
    boolean ready;
    boolean withdraw;
    synchronized (this) {
      if (attempt != attempts || !hasStarted) {
        // It found more than there was room for, and is started again.
        return;
      }
      call = started;
      cancel = isCancelled;
      deliver = isDelivered;
      ready = isReady;
      withdraw = isWithdrawn;
    }
    if (cancel) {
      started.cancel();
      release();
    } else if (deliver) {
      started.delivered();
      release();
    } else if (withdraw) {
      started.withdraw();
    } else if (ready) {
      started.ready();
    }
  }

  @Override
  public void withdraw() {
    Call started;
    synchronized (this) {
      isWithdrawn = true;
      started = call;
    }
    if (started != null) {
      started.withdraw();
    } else if (limit.withdraw(this)) {
      cancelExpiry();
      reply.fail(WITHDRAWN);
    }
  }

  @Override
  public void cancel() {
    Call started;
    synchronized (this) {
      isCancelled = true;
      started = call;
    }
    if (started != null) {
      started.cancel();
      release();
    } else if (limit.withdraw(this)) {
      cancelExpiry();
    }
  }

  private void cancelExpiry() {
    Future<?> timeout;
    synchronized (this) {
      timeout = expiry;
    }
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  @Override
  public void delivered() {
    Call started;
    synchronized (this) {
      isDelivered = true;
      started = call;
    }
    if (started != null) {
      started.delivered();
      release();
    }
  }

  @Override
  public void ready() {
    Call started;
    synchronized (this) {
      isReady = true;
      started = call;
    }
    if (started != null) {
      started.ready();
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
   * Reserves memory for a listing. If there is none, the listing gives back what it has, and waits
   * for the room that the largest response needs: so running listings never wait for each other.
   */
  @Override
  public boolean holds(long responseBytes) {
    if (kind == Kind.STREAM) {
      holdPage(responseBytes);
      return true;
    }
    long held;
    synchronized (this) {
      long more = requestBytes + responseBytes - bytes;
      if (kind != Kind.LISTING || !hasPlace || hasRoomForWhole || isCancelled || more <= 0) {
        return true;
      }
      if (limit.bytes().tryTake(origin, more, bytes)) {
        bytes += more;
        return true;
      }
      held = bytes;
      bytes = (long) requestBytes + admission.responseBytesMax();
      hasRoomForWhole = true;
      hasPlace = false;
      hasStarted = false;
      call = null;
    }
    limit.bytes().give(origin, held);
    limit.leave(this);
    limit.enter(this);
    admission.admit();
    return false;
  }

  @Override
  public boolean hasRoom(long responseBytes) {
    if (responseBytes <= SMALL_BYTES && limit.bytes().isWithinShare(origin)) {
      return true;
    }
    if (!reply.hasRoom(responseBytes)) {
      return false;
    }
    synchronized (this) {
      long more = responseBytes - bytes;
      if (!hasPlace || more <= 0) {
        return true;
      }
      boolean isTaken = limit.bytes().tryTake(origin, more, bytes);
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
    limit.bytes().give(origin, less);
    admission.admit();
  }

  @Override
  public void send(S response) {
    if (kind != Kind.STREAM) {
      // From here on the response takes memory, until it has left.
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

  private void holdOnly(int responseBytes) {
    long less;
    boolean isPlaceFree = false;
    synchronized (this) {
      if (!hasPlace && bytes == 0) {
        return;
      }
      less = bytes - responseBytes;
      bytes = responseBytes;
      if (!limit.isHeldUntilDelivered()) {
        isPlaceFree = hasPlace;
        hasPlace = false;
      }
    }
    limit.bytes().give(origin, less);
    if (isPlaceFree) {
      limit.leave(this);
    }
    admission.admit();
  }

  /** Gives back what it still has. */
  private void release() {
    long held;
    boolean isPlaceFree;
    synchronized (this) {
      if (!hasStarted || (!hasPlace && bytes == 0)) {
        // It never started, or has given everything back.
        return;
      }
      held = bytes;
      bytes = 0;
      isPlaceFree = hasPlace;
      hasPlace = false;
    }
    limit.bytes().give(origin, held);
    if (isPlaceFree) {
      limit.leave(this);
    }
    admission.admit();
  }
}
