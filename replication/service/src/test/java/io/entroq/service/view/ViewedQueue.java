package io.entroq.service.view;

import com.google.protobuf.Message;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.View;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.time.ManualClock;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.feed.Feeds;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.insight.Insight;
import io.entroq.service.insight.InsightConfig;
import io.entroq.service.insight.ServerFigures;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.redrive.RedriveService;
import io.entroq.service.redrive.Redrives;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A queue in a directory, with a clock that the test moves, served with views and insight. */
final class ViewedQueue implements AutoCloseable {
  private static final Instant START = Instant.parse("2026-11-23T08:00:00Z");
  private static final int MESSAGE_BYTES = 10 << 20;

  final ManualClock clock;
  final EmbeddedEntroQ queue;
  final Feeds feeds;
  final Insight insight;
  final Service service;
  final GrpcServer grpc;
  final HttpServer http;

  ViewedQueue(Path data) {
    this(data, START);
  }

  ViewedQueue(Path data, Instant start) {
    this(
        EmbeddedConfig.in(data)
            .segmentBytes(64 << 10)
            .snapshotLogBytes(256 << 10)
            .history(HistoryPolicy.ofBytes(1L << 30)),
        start);
  }

  ViewedQueue(EmbeddedConfig.Builder config) {
    this(config, START);
  }

  private ViewedQueue(EmbeddedConfig.Builder config, Instant start) {
    clock = new ManualClock(start);
    queue = EmbeddedEntroQ.open(config.clock(clock).build());
    feeds = new Feeds(queue.feed(), queue.gateway()::logId);
    insight =
        Insight.start(
            queue.gateway(),
            queue.feed(),
            () -> ServerFigures.NONE,
            new InsightConfig(100_000, 100));
    service = filtered(service(Facade.V1, queue.gateway()));
    try {
      grpc = GrpcServer.start(queue.gateway(), GrpcServerConfig.on(0), this::filtered);
      http =
          HttpServer.start(
              queue.gateway(),
              HttpServerConfig.builder(0).host("localhost").build(),
              this::filtered,
              Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Service service(Facade facade, Gateway gateway) {
    return new QueueService(facade, gateway, new BlockedClaims(), MESSAGE_BYTES);
  }

  private Service filtered(Service present) {
    Service viewed =
        new ViewService(
            insight.before(feeds.before(present)),
            queue.views(),
            view -> past(present.facade(), view));
    return new ValidatedService(new RedriveService(viewed, new Redrives()));
  }

  private Service past(Facade facade, View view) {
    return insight.before(feeds.before(service(facade, view.gateway())), view);
  }

  /** What was answered, or why not. */
  record Heard<S>(List<S> responses, Refusal refusal, Map<String, String> metadata) {
    S response() {
      if (refusal != null) {
        throw new AssertionError(refusal);
      }
      return responses.get(0);
    }
  }

  /** A call in this process that ends. */
  <Q extends Message, S extends Message> Heard<S> ask(Method<Q, S> method, Q request, String at) {
    return begin(method, request, at).heard.orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** A call in this process. */
  <Q extends Message, S extends Message> Asking<S> begin(
      Method<Q, S> method, Q request, String at) {
    return begin(method, request, at, OptionalLong.empty());
  }

  /** A call in this process that has a deadline. */
  <Q extends Message, S extends Message> Asking<S> begin(
      Method<Q, S> method, Q request, String at, OptionalLong deadlineNanos) {
    Asking<S> asking = new Asking<>(method.isStream());
    Headers headers =
        name -> name.equals(AsOfHeader.NAME) ? Optional.ofNullable(at) : Optional.empty();
    asking.call =
        service.handle(method, new CallContext("test", headers, deadlineNanos), request, asking);
    return asking;
  }

  /** Hears what is answered. */
  static final class Asking<S> implements Reply<S> {
    final CompletableFuture<Heard<S>> heard = new CompletableFuture<>();
    private final boolean isStream;
    private final List<S> responses = new ArrayList<>();
    private final Map<String, String> metadata = new ConcurrentHashMap<>();
    volatile Call call;

    private Asking(boolean isStream) {
      this.isStream = isStream;
    }

    @Override
    public void position(long position) {
      metadata.put("position", Long.toString(position));
    }

    @Override
    public void metadata(String name, String value) {
      metadata.put(name, value);
    }

    @Override
    public void send(S response) {
      responses.add(response);
      if (!isStream) {
        heard.complete(new Heard<>(responses, null, metadata));
      }
    }

    @Override
    public void complete() {
      heard.complete(new Heard<>(responses, null, metadata));
    }

    @Override
    public void fail(Refusal refusal) {
      heard.complete(new Heard<>(responses, refusal, metadata));
    }
  }

  @Override
  public void close() {
    http.close();
    grpc.close();
    insight.close();
    feeds.close();
    queue.close();
  }
}
