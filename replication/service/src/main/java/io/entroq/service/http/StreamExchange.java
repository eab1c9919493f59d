package io.entroq.service.http;

import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
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
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** A Connect stream of tasks (contract 1.13.7). */
final class StreamExchange extends ChunkedExchange<TasksResponse> {
  private final Service service;
  private final ConnectCodec codec;
  private final ApiRequest request;
  private volatile long position;
  private volatile Map<String, String> metadata = Map.of();
  private Protocol protocol = Protocol.UNDECLARED;
  private Future<?> deadlineTimer;

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
      fail(e.refusal());
      return;
    }
    deadlineNanos.ifPresent(
        end -> deadlineTimer = connection().schedule(Deadlines.left(end), this::onDeadline));
    started(
        service.handle(
            Method.STREAM_TASKS,
            connection().context(request, deadlineNanos, protocol),
            tasks.build(),
            this));
  }

  private void onDeadline() {
    abandon(
        new Refusal(Status.Code.DEADLINE_EXCEEDED, "the call did not finish before its deadline"));
  }

  @Override
  public void position(long newPosition) {
    position = newPosition;
  }

  /** One thread at a time. */
  @Override
  public void metadata(String name, String value) {
    Map<String, String> more = new HashMap<>(metadata);
    more.put(name, value);
    metadata = more;
  }

  @Override
  void beginResponse() {
    connection().beginChunked(mediaType(codec), metadata);
  }

  @Override
  void append(ByteBuf piece, TasksResponse message) {
    append(piece, Envelope.MESSAGE, codec.write(message, Defaults.of(protocol)));
  }

  @Override
  void appendEnd(ByteBuf piece, Refusal why) {
    append(piece, Envelope.END, end(why).getBytes(StandardCharsets.UTF_8));
  }

  private String end(Refusal why) {
    if (why.code() != Status.Code.OK) {
      return "{\"error\":" + ErrorJson.connect(why) + "}";
    }
    return position == 0 ? "{}" : "{\"metadata\":{\"entroq-position\":[\"" + position + "\"]}}";
  }

  private static void append(ByteBuf piece, byte flags, byte[] message) {
    piece.writeByte(flags).writeInt(message.length).writeBytes(message);
  }

  @Override
  void onOver() {
    if (deadlineTimer != null) {
      deadlineTimer.cancel(false);
    }
  }
}
