package io.entroq.service.http;

import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ConnectCodec;
import io.entroq.service.http.protocol.ConnectDialect;
import io.entroq.service.http.protocol.Deadlines;
import io.entroq.service.http.protocol.Envelope;
import io.entroq.service.http.protocol.ErrorJson;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Connect stream of tasks (contract 1.13.7). Responses arrive on any thread; the event loop
 * writes them in batches.
 */
final class StreamExchange extends Exchange implements Reply<TasksResponse> {
  /** Requests no more responses while this many bytes are unwritten. */
  private static final int UNWRITTEN_BYTES_MAX = 64 << 10;

  private final Service service;
  private final ConnectCodec codec;
  private final ApiRequest request;
  private final Queue<TasksResponse> messages = new ConcurrentLinkedQueue<>();
  private final AtomicLong unwrittenBytes = new AtomicLong();
  private final AtomicBoolean isWriteScheduled = new AtomicBoolean();
  private volatile Optional<String> end = Optional.empty();
  private volatile long position;
  private Protocol protocol = Protocol.UNDECLARED;
  private Call call = Call.done();
  private Future<?> deadlineTimer;
  private boolean hasBegun;
  private boolean isOver;

  StreamExchange(
      HttpConnection connection, Service service, ConnectCodec codec, ApiRequest request) {
    super(connection);
    this.service = service;
    this.codec = codec;
    this.request = request;
  }

  static String mediaType(ConnectCodec codec) {
    return "application/connect+" + codec.subtype();
  }

  @Override
  void begin() {
    TasksRequest.Builder tasks = TasksRequest.newBuilder();
    OptionalLong deadlineNanos;
    try {
      protocol = Protocol.of(request.headers());
      ConnectDialect.requireVersion(request);
      deadlineNanos = Deadlines.connect(request);
      codec.read(Envelope.only(request.body()), tasks);
    } catch (RefusedException e) {
      end(error(e.refusal()));
      return;
    }
    deadlineNanos.ifPresent(
        end -> deadlineTimer = connection().schedule(Deadlines.left(end), this::onDeadline));
    call =
        service.handle(
            Method.STREAM_TASKS,
            connection().context(request, deadlineNanos, protocol),
            tasks.build(),
            this);
  }

  private void onDeadline() {
    if (!isOver) {
      call.cancel();
      messages.clear();
      fail(
          new Refusal(
              Status.Code.DEADLINE_EXCEEDED, "the call did not finish before its deadline"));
    }
  }

  @Override
  public boolean isReady() {
    return unwrittenBytes.get() < UNWRITTEN_BYTES_MAX && connection().isWritable();
  }

  @Override
  public void position(long newPosition) {
    position = newPosition;
  }

  @Override
  public void send(TasksResponse response) {
    unwrittenBytes.addAndGet(response.getSerializedSize());
    messages.add(response);
    writeSoon();
  }

  @Override
  public void complete() {
    end(position == 0 ? "{}" : "{\"metadata\":{\"entroq-position\":[\"" + position + "\"]}}");
  }

  @Override
  public void fail(Refusal refusal) {
    end(error(refusal));
  }

  private static String error(Refusal refusal) {
    return "{\"error\":" + ErrorJson.connect(refusal) + "}";
  }

  private void end(String envelope) {
    end = Optional.of(envelope);
    writeSoon();
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
    if (!hasBegun) {
      hasBegun = true;
      connection().beginChunked(mediaType(codec), Map.of());
    }
    // Read before polling: the last message is added before the end is set.
    Optional<String> last = end;
    ByteBuf piece = Unpooled.buffer();
    long written = 0;
    for (TasksResponse next = messages.poll(); next != null; next = messages.poll()) {
      append(piece, Envelope.MESSAGE, codec.write(next, Defaults.of(protocol)));
      written += next.getSerializedSize();
    }
    if (last.isPresent()) {
      isOver = true;
      cancelTimer();
      append(piece, Envelope.END, last.get().getBytes(StandardCharsets.UTF_8));
      connection().writeLastChunk(this, piece, Map.of());
      return;
    }
    connection().writeChunk(piece);
    unwrittenBytes.addAndGet(-written);
    ready();
  }

  private static void append(ByteBuf piece, byte flags, byte[] message) {
    piece.writeByte(flags).writeInt(message.length).writeBytes(message);
  }

  @Override
  void ready() {
    if (!isOver && isReady()) {
      call.ready();
    }
  }

  private void cancelTimer() {
    if (deadlineTimer != null) {
      deadlineTimer.cancel(false);
    }
  }

  @Override
  void cancel() {
    isOver = true;
    cancelTimer();
    call.cancel();
  }

  @Override
  void delivered() {
    call.delivered();
  }
}
