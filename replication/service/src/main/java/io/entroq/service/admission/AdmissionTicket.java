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
 * A call that starts when its limit has room, and its share of that limit. Sits between the
 * transport and the call in both directions. Any thread.
 */
final class AdmissionTicket<S extends MessageLite> implements Call, Reply<S> {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionTicket.class);

  private static final Refusal WITHDRAWN =
      new Refusal(
          Status.Code.CANCELLED, "the call was withdrawn before it was admitted; nothing was done");

  /**
   * A response up to this size always has room if its origin is within its share: the number of
   * calls limits how many there are.
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
  private boolean hasSlot;
  private boolean hasStarted;
  private boolean hasMaxBytes;
  private int attempts;
  private boolean isCancelled;
  private boolean isDelivered;
  private boolean isReady;
  private boolean isWithdrawn;

  /** The form of the response. */
  enum Kind {
    /** One message that takes no memory until it is complete. */
    ONE_RESPONSE,
    /** One message that is built page by page. */
    LISTING,
    /** Several messages; at most one page is in memory at a time. */
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

  Origin origin() {
    return origin;
  }

  int requestBytes() {
    return requestBytes;
  }

  /** The bytes taken from the limit when the call starts. */
  synchronized long bytes() {
    return bytes;
  }

  OptionalLong deadlineNanos() {
    return deadlineNanos;
  }

  /** Sets the timer that ends the wait. */
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

  /** Starts the call after its slot and bytes have been taken. */
  void start() {
    Function<Reply<S>, Call> toStart;
    Future<?> timeout;
    int attempt;
    synchronized (this) {
      toStart = startCall;
      if (kind != Kind.LISTING || hasMaxBytes) {
        // It will not be restarted, so release the request.
        startCall = null;
      }
      hasStarted = true;
      hasSlot = true;
      attempt = ++attempts;
      timeout = expiry;
    }
    if (timeout != null) {
      timeout.cancel(false);
    }
    Call started;
    try {
      started = toStart.apply(this);
    } catch (Throwable t) {
      // A bug; give back the room that other calls wait for.
      LOG.error("A call failed to start because of an internal error.", t);
      fail(Refusal.FAULT);
      return;
    }
    deliverEvents(started, attempt);
  }

  /** Delivers the events that arrived while the call was starting. */
  private void deliverEvents(Call started, int attempt) {
    boolean cancel;
    boolean deliver;
    boolean ready;
    boolean withdraw;
    synchronized (this) {
      if (attempt != attempts || !hasStarted) {
        // It ran out of room and will be restarted.
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

  @Override
  public void metadata(String name, String value) {
    reply.metadata(name, value);
  }

  /**
   * Reserves memory for a listing. If there is none left, the listing gives back what it has and
   * queues again for the largest response's memory, so running listings never wait for each other.
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
      if (kind != Kind.LISTING || !hasSlot || hasMaxBytes || isCancelled || more <= 0) {
        return true;
      }
      if (limit.bytes().tryTake(origin, more, bytes)) {
        bytes += more;
        return true;
      }
      held = bytes;
      bytes = (long) requestBytes + admission.responseBytesMax();
      hasMaxBytes = true;
      hasSlot = false;
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
      if (!hasSlot || more <= 0) {
        return true;
      }
      boolean isTaken = limit.bytes().tryTake(origin, more, bytes);
      bytes += isTaken ? more : 0;
      return isTaken;
    }
  }

  private void holdPage(long pageBytes) {
    long excess;
    synchronized (this) {
      if (!hasSlot) {
        return;
      }
      excess = bytes - requestBytes - pageBytes;
      bytes -= excess;
    }
    limit.bytes().give(origin, excess);
    admission.admit();
  }

  @Override
  public void send(S response) {
    if (kind != Kind.STREAM) {
      // From here on the response takes memory until it has been sent.
      keepOnly(response.getSerializedSize());
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

  private void keepOnly(int responseBytes) {
    long excess;
    boolean freesSlot = false;
    synchronized (this) {
      if (!hasSlot && bytes == 0) {
        return;
      }
      excess = bytes - responseBytes;
      bytes = responseBytes;
      if (!limit.isHeldUntilDelivered()) {
        freesSlot = hasSlot;
        hasSlot = false;
      }
    }
    limit.bytes().give(origin, excess);
    if (freesSlot) {
      limit.leave(this);
    }
    admission.admit();
  }

  /** Gives back everything that the call still holds. */
  private void release() {
    long held;
    boolean freesSlot;
    synchronized (this) {
      if (!hasStarted || (!hasSlot && bytes == 0)) {
        // It never started or holds nothing any more.
        return;
      }
      held = bytes;
      bytes = 0;
      freesSlot = hasSlot;
      hasSlot = false;
    }
    limit.bytes().give(origin, held);
    if (freesSlot) {
      limit.leave(this);
    }
    admission.admit();
  }
}
