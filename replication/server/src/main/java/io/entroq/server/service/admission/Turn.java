package io.entroq.server.service.admission;

import com.google.protobuf.MessageLite;
import io.entroq.server.service.call.Call;
import io.entroq.server.service.call.Reply;
import io.entroq.server.service.call.StreamReply;
import io.entroq.server.service.edge.Refusal;
import io.grpc.Status;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * A call that goes on when it is its turn, and what it takes of the room meanwhile. Stands between
 * the transport and the call itself, for both. Any thread.
 */
final class Turn<S extends MessageLite> implements Call, StreamReply<S> {
  private static final Refusal WITHDRAWN =
      new Refusal(
          Status.Code.CANCELLED, "the call was withdrawn before it was its turn; nothing was done");

  private final Admission admission;
  private final Lane lane;
  private final Reply<S> reply;
  private final OptionalLong deadlineNanos;
  private final int requestBytes;
  private final boolean isStream;
  private Function<Turn<S>, Call> beginning;
  private Call call;
  private Future<?> limit;
  private long bytes;
  private boolean hasPlace;
  private boolean isCancelled;
  private boolean isDelivered;
  private boolean isReadyTold;
  private boolean isWithdrawn;

  /**
   * @param requestBytes how long the request is
   * @param answerBytes how long its answer may become, if it lists things
   * @param isStream whether it has several answers, which are no longer than that at a time
   * @param beginning begins the call; is to answer to this
   */
  Turn(
      Admission admission,
      Lane lane,
      Reply<S> reply,
      OptionalLong deadlineNanos,
      int requestBytes,
      int answerBytes,
      boolean isStream,
      Function<Turn<S>, Call> beginning) {
    this.admission = admission;
    this.lane = lane;
    this.reply = reply;
    this.deadlineNanos = deadlineNanos;
    this.requestBytes = requestBytes;
    this.isStream = isStream;
    this.beginning = beginning;
    bytes = (long) requestBytes + answerBytes;
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
      isLate = beginning == null || isCancelled;
    }
    if (isLate) {
      timeout.cancel(false);
    }
  }

  /** It is its turn; its place and its bytes have been taken for it. */
  void begin() {
    Function<Turn<S>, Call> begins;
    Future<?> timeout;
    synchronized (this) {
      begins = beginning;
      // What is under way keeps no more of its request than it needs itself.
      beginning = null;
      hasPlace = true;
      timeout = limit;
    }
    if (timeout != null) {
      timeout.cancel(false);
    }
    tell(begins.apply(this));
  }

  /** Tells the call what has been told of it while it began, on other threads. */
  private void tell(Call begun) {
    boolean cancel;
    boolean deliver;
    boolean ready;
    boolean withdraw;
    synchronized (this) {
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
    } else if (lane.withdraw(this)) {
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
    } else if (lane.withdraw(this)) {
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
    return ((StreamReply<S>) reply).isReady();
  }

  @Override
  public void position(long position) {
    reply.position(position);
  }

  @Override
  public void send(S response) {
    if (!isStream) {
      // From here on it is the answer that takes memory, until it has left.
      holdOnly(response.getSerializedSize());
    }
    reply.send(response);
  }

  @Override
  public void complete() {
    ((StreamReply<S>) reply).complete();
  }

  @Override
  public void fail(Refusal refusal) {
    reply.fail(refusal);
    release();
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
      if (!lane.isHeldUntilDelivered()) {
        isPlaceFree = hasPlace;
        hasPlace = false;
      }
    }
    lane.bytes().give(less);
    if (isPlaceFree) {
      lane.leave();
    }
    admission.admit();
  }

  /** Gives back what it still has. */
  private void release() {
    long held;
    boolean isPlaceFree;
    synchronized (this) {
      if (beginning != null || (!hasPlace && bytes == 0)) {
        // It has never begun, or has given all of it back.
        return;
      }
      held = bytes;
      bytes = 0;
      isPlaceFree = hasPlace;
      hasPlace = false;
    }
    lane.bytes().give(held);
    if (isPlaceFree) {
      lane.leave();
    }
    admission.admit();
  }
}
