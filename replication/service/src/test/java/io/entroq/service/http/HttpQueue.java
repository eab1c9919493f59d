package io.entroq.service.http;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Service;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.validation.ValidatedService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A queue in memory, served by HTTP over loopback, and a client of it. */
final class HttpQueue implements AutoCloseable {
  static final ApiResponse PAGE = ApiResponse.of(203, "text/x", "a page, ä");

  /** In bytes, as long as it says. */
  static final ApiResponse LONG_PAGE = ApiResponse.of(200, "text/x", "x".repeat(15_000));

  final EmbeddedEntroQ queue;
  final HttpServer server;
  final RawHttp client;

  HttpQueue() {
    this(HttpServerConfig.builder(0));
  }

  HttpQueue(HttpServerConfig.Builder config) {
    this(config, UnaryOperator.identity());
  }

  /** With something that stands before the service. */
  HttpQueue(HttpServerConfig.Builder config, UnaryOperator<Service> before) {
    queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
    try {
      server =
          HttpServer.start(
              queue.gateway(),
              config.host("localhost").build(),
              service -> new ValidatedService(before.apply(service)),
              Map.of("/page", PageSource.of(PAGE), "/long", PageSource.of(LONG_PAGE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = connect();
  }

  /** Opens another connection; the caller closes it. */
  RawHttp connect() {
    return new RawHttp(server.port());
  }

  /** Inserts tasks of ids into a queue. */
  void insert(String name, String... ids) {
    StringBuilder inserts = new StringBuilder();
    for (String id : ids) {
      inserts.append(inserts.isEmpty() ? "" : ",");
      inserts.append("{\"queue\":\"%s\",\"id\":\"%s\"}".formatted(name, id));
    }
    try (RawHttp other = connect()) {
      RawResponse response = other.post("/api/v0/modify", "{\"inserts\":[" + inserts + "]}");
      assertThat(response.status()).as(response.text()).isEqualTo(200);
    }
  }

  void awaitBlocked(int claims) {
    until(claims + " claims wait", () -> server.blockedClaims() == claims);
  }

  @Override
  public void close() {
    client.close();
    server.close();
    queue.close();
  }
}
