package io.entroq.service.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces as a collector gets them. */
class TracingTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private final BlockingQueue<UnknownFieldSet> received = new LinkedBlockingQueue<>();

  @Test
  void shouldSendASpanInsideThatOfTheCaller() throws Exception {
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/v1/traces", this::receive);
    collector.start();
    String url = "http://localhost:" + collector.getAddress().getPort() + "/";
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      try (Tracing tracing = Tracing.of(new TracingConfig(url, "queues of the shop"))) {
        time(
            tracing.trace(service(queue)),
            Map.of("traceparent", "00-" + TRACE + "-" + PARENT + "-01"));
      }
      UnknownFieldSet resourceSpans = message(received.poll(30, TimeUnit.SECONDS), 1);
      assertThat(message(resourceSpans, 1).toString()).contains("queues of the shop");
      UnknownFieldSet span = message(message(resourceSpans, 2), 2);
      assertThat(hex(span, 1)).isEqualTo(TRACE);
      assertThat(hex(span, 4)).isEqualTo(PARENT);
      assertThat(span.getField(5).getLengthDelimitedList().get(0).toStringUtf8())
          .isEqualTo("api.EntroQ/Time");
      assertThat(span.toString()).contains("rpc.system").contains("\"test\"");
    } finally {
      collector.stop(0);
    }
  }

  @Test
  void shouldDoNothingWithoutACollector() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
        Tracing off = Tracing.of(TracingConfig.OFF)) {
      Service service = service(queue);
      assertThat(off.trace(service)).isSameAs(service);
    }
  }

  @Test
  void shouldReadStandardEnvironmentVariables() {
    assertThat(TracingConfig.of(Map.of())).isEqualTo(TracingConfig.OFF);
    TracingConfig config =
        TracingConfig.of(
            Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318",
                "OTEL_SERVICE_NAME", "x"));
    assertThat(config.isOn()).isTrue();
    assertThat(config.url()).isEqualTo("http://localhost:4318/v1/traces");
    assertThat(config.service()).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:4318", "grpc://a", "http://", "a b"})
  void shouldRejectInvalidEndpoints(String endpoint) {
    assertThatThrownBy(() -> new TracingConfig(endpoint, "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Service service(EmbeddedEntroQ queue) {
    return new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20);
  }

  private static void time(Service service, Map<String, String> headers)
      throws InterruptedException {
    CountDownLatch answered = new CountDownLatch(1);
    service.handle(
        Method.TIME,
        new CallContext(
            "test", name -> Optional.ofNullable(headers.get(name)), OptionalLong.empty()),
        TimeRequest.getDefaultInstance(),
        new Reply<TimeResponse>() {
          @Override
          public void position(long position) {
            // Not looked at.
          }

          @Override
          public void send(TimeResponse response) {
            answered.countDown();
          }

          @Override
          public void fail(Refusal refusal) {
            throw new AssertionError(refusal.toString());
          }
        });
    assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private void receive(HttpExchange call) throws IOException {
    boolean isPacked = "gzip".equals(call.getRequestHeaders().getFirst("Content-Encoding"));
    received.add(
        UnknownFieldSet.parseFrom(
            isPacked
                ? new GZIPInputStream(call.getRequestBody()).readAllBytes()
                : call.getRequestBody().readAllBytes()));
    call.sendResponseHeaders(200, -1);
    call.close();
  }

  private static UnknownFieldSet message(UnknownFieldSet outer, int field) throws IOException {
    return UnknownFieldSet.parseFrom(outer.getField(field).getLengthDelimitedList().get(0));
  }

  private static String hex(UnknownFieldSet message, int field) {
    ByteString bytes = message.getField(field).getLengthDelimitedList().get(0);
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
