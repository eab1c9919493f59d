package io.entroq.service.transport;

import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamResponse;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Service;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.grpc.RawStream;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A queue in memory, served by all ways over loopback, and a client for each. One thread. */
final class ServedTransports implements AutoCloseable {
  private final EmbeddedEntroQ engine;
  private final GrpcServer grpc;
  private final HttpServer http;
  private final HttpClient httpClient =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Optional<String> authorization;
  private final Optional<String> protocol;

  /** Anything that gRPC carries. */
  final WireClient client;

  private final RawStream stream;
  private long streamed;

  /** Open to everybody. */
  ServedTransports() throws IOException {
    this(UnaryOperator.identity(), Optional.empty());
  }

  /**
   * With something that stands before the services.
   *
   * @param authorization what the clients say of themselves
   */
  ServedTransports(UnaryOperator<Service> before, Optional<String> authorization)
      throws IOException {
    this.authorization = authorization;
    this.protocol = Optional.empty();
    engine = EmbeddedEntroQ.inMemory();
    UnaryOperator<Service> filters = service -> new ValidatedService(before.apply(service));
    grpc = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0), filters);
    http =
        HttpServer.start(
            engine.gateway(),
            HttpServerConfig.builder(0).host("localhost").build(),
            filters,
            Map.of());
    client = connect(authorization);
    stream = RawStream.open(client, null);
  }

  private ServedTransports(ServedTransports same, String protocol) {
    authorization = same.authorization;
    this.protocol = Optional.of(protocol);
    engine = same.engine;
    grpc = same.grpc;
    http = same.http;
    client = WireClient.declaring(grpc.port(), protocol);
    stream = RawStream.open(client, null);
  }

  /** The same, asked by clients that declare a protocol; closed before this one. */
  ServedTransports declaring(String declared) {
    return new ServedTransports(this, declared);
  }

  int grpcPort() {
    return grpc.port();
  }

  /** One more connection, for whoever calls this to close. */
  WireClient connect(Optional<String> header) {
    return header
        .map(value -> new WireClient(grpc.port(), value))
        .orElseGet(() -> new WireClient(grpc.port()));
  }

  /** Asks over the stream. */
  StreamResponse ask(StreamRequest.Builder request) {
    stream.send(request.setNumber(++streamed));
    StreamResponse response = stream.response();
    if (response.getNumber() != streamed) {
      throw new AssertionError("the answer to another request: " + response);
    }
    return response;
  }

  /** Asks over HTTP. */
  HttpResponse<byte[]> get(String target) {
    return send(to(target).GET());
  }

  /** Asks over HTTP. */
  HttpResponse<byte[]> post(String target, String contentType, byte[] body) {
    return send(
        to(target)
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  HttpRequest.Builder to(String target) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + http.port() + target));
    authorization.ifPresent(value -> request.header("Authorization", value));
    protocol.ifPresent(value -> request.header("entroq-protocol", value));
    return request;
  }

  HttpResponse<byte[]> send(HttpRequest.Builder request) {
    try {
      return httpClient.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    stream.close();
    client.close();
    if (protocol.isPresent()) {
      return;
    }
    http.close();
    grpc.close();
    engine.close();
  }
}
