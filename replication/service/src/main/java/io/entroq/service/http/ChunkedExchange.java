package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A call with several responses. They arrive on any thread; the event loop writes them in batches.
 */
abstract class ChunkedExchange<S extends Message> extends Exchange implements Reply<S> {
  /** How a stream ends that is complete. */
  private static final Refusal COMPLETE = new Refusal(Status.Code.OK, "complete");

  /** Requests no more responses while this many bytes are unwritten. */
  private static final int UNWRITTEN_BYTES_MAX = 64 << 10;

  private final Queue<S> messages = new ConcurrentLinkedQueue<>();
  private final AtomicLong unwrittenBytes = new AtomicLong();
  private final AtomicBoolean isWriteScheduled = new AtomicBoolean();

  /** Null until it ends; OK if it is complete. */
  private volatile Refusal end;

  private Call call = Call.done();
  private boolean hasBegun;
  private boolean isOver;

  ChunkedExchange(HttpConnection connection) {
    super(connection);
  }

  /** Sets the call that was started with this as its reply. */
  final void started(Call running) {
    call = running;
  }

  final Call call() {
    return call;
  }

  final boolean isOver() {
    return isOver;
  }

  /** Sends the status and the headers. */
  abstract void beginResponse();

  /** Appends a response. */
  abstract void append(ByteBuf piece, S message);

  /** Appends what tells the caller that nothing follows, and why. */
  abstract void appendEnd(ByteBuf piece, Refusal why);

  /** The whole response if the stream ends before it begins; empty: it begins, and ends. */
  Optional<ApiResponse> instead(Refusal why) {
    return Optional.empty();
  }

  /** Called when nothing will be sent any more. */
  void onOver() {}

  @Override
  public final boolean isReady() {
    return unwrittenBytes.get() < UNWRITTEN_BYTES_MAX && connection().isWritable();
  }

  @Override
  public final void send(S response) {
    unwrittenBytes.addAndGet(response.getSerializedSize());
    messages.add(response);
    writeSoon();
  }

  @Override
  public final void complete() {
    fail(COMPLETE);
  }

  @Override
  public final void fail(Refusal refusal) {
    end = refusal;
    writeSoon();
  }

  /** Ends it without what has not been written yet. */
  final void abandon(Refusal refusal) {
    if (!isOver) {
      call.cancel();
      messages.clear();
      fail(refusal);
    }
  }

  private void writeSoon() {
    if (isWriteScheduled.compareAndSet(false, true)) {
      connection().execute(this::write);
    }
  }

  private void write() {
    isWriteScheduled.set(false);
    if (isOver) {
      return;
    }
    // Read before polling: the last message is added before the end is set.
    Refusal last = end;
    if (last != null && !hasBegun && messages.isEmpty()) {
      Optional<ApiResponse> whole = instead(last);
      if (whole.isPresent()) {
        over();
        connection().respond(this, whole.get());
        return;
      }
    }
    ByteBuf piece = Unpooled.buffer();
    long written = 0;
    for (S next = messages.poll(); next != null; next = messages.poll()) {
      append(piece, next);
      written += next.getSerializedSize();
    }
    if (last == null) {
      writePiece(piece);
      unwrittenBytes.addAndGet(-written);
      ready();
      return;
    }
    appendEnd(piece, last);
    ensureBegun();
    over();
    connection().writeLastChunk(this, piece, Map.of());
  }

  /** Writes bytes that are no response. */
  final void writePiece(ByteBuf piece) {
    ensureBegun();
    connection().writeChunk(piece);
  }

  private void ensureBegun() {
    if (!hasBegun) {
      hasBegun = true;
      beginResponse();
    }
  }

  private void over() {
    isOver = true;
    onOver();
  }

  @Override
  final void ready() {
    if (!isOver && isReady()) {
      call.ready();
    }
  }

  @Override
  final void cancel() {
    over();
    call.cancel();
  }

  @Override
  final void delivered() {
    call.delivered();
  }
}
