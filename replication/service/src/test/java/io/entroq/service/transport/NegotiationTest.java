package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Empty;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests declare a protocol, and answers say which ones are served. */
class NegotiationTest {
  private static final Metadata.Key<String> PROTOCOL = key("entroq-protocol");
  private static final Metadata.Key<String> RELEASE = key("entroq-version");
  private static final String MALFORMED =
      "a request declares one protocol in entroq-protocol, got ";
  private static final String UNSERVED = "this server serves EntroQ protocols 1,2, not ";

  private static ServedTransports doors;
  private static ManagedChannel channel;

  @BeforeAll
  static void open() throws IOException {
    doors = new ServedTransports();
    channel = NettyChannelBuilder.forAddress("localhost", doors.grpcPort()).usePlaintext().build();
  }

  @AfterAll
  static void close() {
    channel.shutdownNow();
    doors.close();
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** Values of the header, the code and the message. */
  static Stream<Arguments> declarations() {
    return Stream.of(
        Arguments.of(List.of(), Status.Code.OK, ""),
        Arguments.of(List.of("1"), Status.Code.OK, ""),
        Arguments.of(List.of("2"), Status.Code.OK, ""),
        Arguments.of(List.of("1", "2"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"1,2\""),
        Arguments.of(List.of("2", "2"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"2,2\""),
        Arguments.of(List.of("1,2"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"1,2\""),
        Arguments.of(List.of("x"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"x\""),
        Arguments.of(List.of("-2"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"-2\""),
        Arguments.of(List.of("2.0"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"2.0\""),
        Arguments.of(List.of("0"), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"0\""),
        Arguments.of(List.of(""), Status.Code.INVALID_ARGUMENT, MALFORMED + "\"\""),
        Arguments.of(List.of("3"), Status.Code.UNIMPLEMENTED, UNSERVED + "3: upgrade the server"),
        Arguments.of(
            List.of("99999999999"),
            Status.Code.UNIMPLEMENTED,
            UNSERVED + "99999999999: upgrade the server"));
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void shouldNegotiateOverGrpc(List<String> declared, Status.Code code, String message) {
    for (String method : List.of("Time", "TryClaim")) {
      Status status = call("api.EntroQ/" + method, MethodType.UNARY, declared);
      if (code == Status.Code.OK) {
        assertThat(status.getCode()).as("%s", status).isNotEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat("" + status.getDescription()).doesNotContain("entroq-protocol");
      } else {
        assertThat(status.getCode()).isEqualTo(code);
        assertThat(status.getDescription()).isEqualTo(message);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void shouldNegotiateStreams(List<String> declared, Status.Code code, String message) {
    for (String method : List.of("api.EntroQ/StreamTasks", "entroq.v1.Stream/Open")) {
      Status status = call(method, MethodType.SERVER_STREAMING, declared);
      if (code == Status.Code.OK) {
        assertThat("" + status.getDescription()).doesNotContain("entroq-protocol");
      } else {
        assertThat(status.getCode()).isEqualTo(code);
        assertThat(status.getDescription()).isEqualTo(message);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void shouldNegotiateOverRest(List<String> declared, Status.Code code, String message) {
    HttpResponse<byte[]> answer = get("/api/v0/time", declared);
    assertThat(answer.statusCode()).isEqualTo(status(code));
    if (code != Status.Code.OK) {
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .isEqualTo(
              "{\"code\":%d,\"message\":\"%s\",\"details\":[]}"
                  .formatted(code.value(), message.replace("\"", "\\\"")));
    }
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void shouldNegotiateOverConnect(List<String> declared, Status.Code code, String message) {
    HttpRequest.Builder request =
        doors
            .to("/api.EntroQ/Time")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"));
    declared.forEach(value -> request.header("entroq-protocol", value));
    HttpResponse<byte[]> answer = doors.send(request);
    assertThat(answer.statusCode()).isEqualTo(status(code));
    if (code != Status.Code.OK) {
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .isEqualTo(
              "{\"code\":\"%s\",\"message\":\"%s\"}"
                  .formatted(code.name().toLowerCase(Locale.ROOT), message.replace("\"", "\\\"")));
    }
  }

  /** Negotiation comes before the request's message. */
  @ParameterizedTest
  @ValueSource(strings = {"/api/v0/modify", "/api/v0/claim/wait"})
  void shouldNegotiateBeforeReadingTheMessage(String path) {
    HttpResponse<byte[]> answer =
        doors.send(
            doors
                .to(path)
                .header("Content-Type", "application/json")
                .header("entroq-protocol", "3")
                .POST(HttpRequest.BodyPublishers.ofString("no JSON")));
    assertThat(answer.statusCode()).isEqualTo(501);
  }

  /** The older API knows no protocols. */
  @ParameterizedTest
  @MethodSource("declarations")
  void shouldNotNegotiateInTheOlderApi(List<String> declared, Status.Code code, String message) {
    Status status = call("proto.EntroQ/Queues", MethodType.UNARY, declared);
    assertThat(status.getCode()).isEqualTo(Status.Code.OK);
  }

  /** Answers, refusals, streams, methods and services that do not exist. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "api.EntroQ/Time",
        "api.EntroQ/TryClaim",
        "api.EntroQ/StreamTasks",
        "api.EntroQ/NoSuchMethod",
        "no.such.Service/Method",
        "proto.EntroQ/Queues",
        "proto.EntroQ/Claim",
        "grpc.health.v1.Health/Check",
        "entroq.v1.Stream/Open",
        "entroq.v1.Admin/Status"
      })
  void shouldAnnounceInTheHeadersOfEveryAnswer(String method) {
    MethodType type = method.contains("Stream") ? MethodType.SERVER_STREAMING : MethodType.UNARY;
    for (List<String> declared : List.of(List.<String>of(), List.of("2"), List.of("3"))) {
      AtomicReference<Metadata> headers = new AtomicReference<>();
      Status status = call(method, type, declared, headers);
      assertThat(headers.get()).as("%s", status).isNotNull();
      assertThat(headers.get().getAll(PROTOCOL)).containsExactly("1,2");
      assertThat(headers.get().getAll(RELEASE)).hasSize(1);
    }
  }

  private static Status call(String method, MethodType type, List<String> declared) {
    return call(method, type, declared, new AtomicReference<>());
  }

  private static Status call(
      String method, MethodType type, List<String> declared, AtomicReference<Metadata> headers) {
    Metadata sent = new Metadata();
    declared.forEach(value -> sent.put(PROTOCOL, value));
    Channel declaring =
        ClientInterceptors.intercept(
            channel,
            MetadataUtils.newAttachHeadersInterceptor(sent),
            MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()));
    MethodDescriptor<Empty, Empty> descriptor =
        MethodDescriptor.newBuilder(
                ProtoUtils.marshaller(Empty.getDefaultInstance()),
                ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .setType(type)
            .setFullMethodName(method)
            .build();
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> {
              if (type == MethodType.UNARY) {
                Empty unused =
                    ClientCalls.blockingUnaryCall(
                        declaring, descriptor, CallOptions.DEFAULT, Empty.getDefaultInstance());
              } else {
                ClientCalls.blockingServerStreamingCall(
                        declaring, descriptor, CallOptions.DEFAULT, Empty.getDefaultInstance())
                    .forEachRemaining(next -> {});
              }
            });
    return refusal == null ? Status.OK : refusal.getStatus();
  }

  private static HttpResponse<byte[]> get(String target, List<String> declared) {
    HttpRequest.Builder request = doors.to(target).GET();
    declared.forEach(value -> request.header("entroq-protocol", value));
    return doors.send(request);
  }

  private static int status(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_ARGUMENT -> 400;
      case UNIMPLEMENTED -> 501;
      default -> throw new AssertionError(code);
    };
  }
}
