package io.entroq.service.http;

import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
import io.entroq.service.call.Service;
import io.entroq.service.feed.FeedPosition;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.ErrorJson;
import io.entroq.service.http.protocol.FeedDialect;
import io.entroq.service.http.protocol.StatusCodes;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A feed as server-sent events: an event for each effect, and a mark if only the position has
 * advanced. The id of an event is its position, so that a client resumes by itself.
 */
final class SseExchange extends ChunkedExchange<TailResponse> {
  static final String PATH = "/api/entroq/feed";

  private static final String MEDIA_TYPE = "text/event-stream";
  private static final Map<String, String> HEADERS =
      // Some proxies keep a response until it is complete.
      Map.of("cache-control", "no-store", "x-accel-buffering", "no");

  /** Tells a client of server-sent events not to come back. */
  private static final int NO_CONTENT = 204;

  private final Service service;
  private final ApiRequest request;
  private Protocol protocol = Protocol.UNDECLARED;
  private Future<?> heartbeat;
  private boolean isQuiet = true;
  private boolean isSnapshot;

  /** Null until a response tells it. */
  private UUID logId;

  SseExchange(HttpConnection connection, Service service, ApiRequest request) {
    super(connection);
    this.service = service;
    this.request = request;
  }

  @Override
  void begin() {
    TailRequest tail;
    try {
      protocol = Protocol.of(request.headers());
      tail = FeedDialect.read(request);
    } catch (RefusedException e) {
      fail(e.refusal());
      return;
    }
    isSnapshot = tail.getSnapshot();
    scheduleHeartbeat();
    started(
        service.handle(
            Method.TAIL,
            connection().context(request, OptionalLong.empty(), protocol),
            tail,
            this));
  }

  private void scheduleHeartbeat() {
    Duration period = connection().config().claimHeartbeat();
    if (!period.isZero()) {
      heartbeat = connection().schedule(period, this::beat);
    }
  }

  private void beat() {
    if (isOver()) {
      return;
    }
    if (isQuiet && connection().isWritable()) {
      writePiece(Unpooled.copiedBuffer(": \n\n", StandardCharsets.UTF_8));
    }
    isQuiet = true;
    scheduleHeartbeat();
  }

  /** The server stops. */
  @Override
  void endWait() {
    call().withdraw();
  }

  @Override
  public void position(long position) {
    // Each event has its own.
  }

  @Override
  void beginResponse() {
    connection().beginChunked(MEDIA_TYPE, HEADERS);
  }

  @Override
  Optional<ApiResponse> instead(Refusal why) {
    return Optional.of(
        why.code() == Status.Code.OK
            ? ApiResponse.of(NO_CONTENT, ApiResponse.TEXT, "")
            : ApiResponse.json(
                StatusCodes.status(ErrorJson.code(why)),
                ErrorJson.rest(why, Defaults.of(protocol))));
  }

  @Override
  void append(ByteBuf piece, TailResponse response) {
    isQuiet = false;
    if (!response.getLogId().isEmpty()) {
      logId = FeedPosition.logId(response.getLogId());
    }
    int last = response.getEffectsCount() - 1;
    boolean isMarked = last < 0 || response.getSnapshotComplete();
    for (int i = 0; i <= last; i++) {
      Effect effect = response.getEffects(i);
      boolean endsResponse = i == last && !isMarked && !response.getPosition().isEmpty();
      append(
          piece,
          endsResponse ? response.getPosition() : position(effect),
          FeedDialect.name(effect.getKind()),
          JsonWriter.write(effect, Defaults.of(protocol)));
    }
    isSnapshot &= !response.getSnapshotComplete();
    if (isMarked) {
      append(
          piece,
          response.getPosition(),
          "mark",
          JsonWriter.write(
              response.toBuilder().clearLogId().clearKept().clearEffects().build(),
              Defaults.of(protocol)));
    }
  }

  /** Nobody can resume within a snapshot. */
  private String position(Effect effect) {
    return isSnapshot
        ? ""
        : new FeedPosition(effect.getSequence(), effect.getIndex(), logId, effect.getTimeMs())
            .text();
  }

  @Override
  void appendEnd(ByteBuf piece, Refusal why) {
    append(piece, "", "end", ErrorJson.rest(why, Defaults.of(protocol)));
  }

  /** Appends an event; JSON of the product has no line breaks. */
  private static void append(ByteBuf piece, String id, String event, String json) {
    StringBuilder text = new StringBuilder(json.length() + 100);
    if (!id.isEmpty()) {
      text.append("id: ").append(id).append('\n');
    }
    text.append("event: ").append(event).append("\ndata: ").append(json).append("\n\n");
    piece.writeCharSequence(text, StandardCharsets.UTF_8);
  }

  @Override
  void onOver() {
    if (heartbeat != null) {
      heartbeat.cancel(false);
    }
  }
}
