package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamResponse;
import io.entroq.codec.wire.published.v0.ClaimRequest;
import io.entroq.codec.wire.published.v0.ModifyRequest;
import io.entroq.codec.wire.published.v0.QueuesRequest;
import io.entroq.codec.wire.published.v0.TasksRequest;
import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A way by which requests come to a server. */
enum Transport {
  /** The older API, whose messages have the same numbers for the same things. */
  V0 {
    @Override
    Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request) {
      return Optional.ofNullable(V0_REQUESTS.get(request.method()))
          .map(
              prototype -> {
                try {
                  return grpc(
                      doors,
                      "proto.EntroQ/" + request.method(),
                      prototype.getParserForType().parseFrom(request.message().toByteString()));
                } catch (InvalidProtocolBufferException e) {
                  throw new AssertionError(e);
                }
              });
    }
  },

  V1 {
    @Override
    Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request) {
      return Optional.of(grpc(doors, "api.EntroQ/" + request.method(), request.message()));
    }
  },

  REST {
    @Override
    Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request) {
      return RequestJson.of(request.message())
          .map(json -> restAnswer(rest(doors, request.method(), json)));
    }
  },

  CONNECT_JSON {
    @Override
    Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request) {
      return RequestJson.of(request.message())
          .map(
              json ->
                  connectAnswer(
                      doors.post(
                          "/api.EntroQ/" + request.method(),
                          "application/json",
                          json.toString().getBytes(StandardCharsets.UTF_8))));
    }
  },

  CONNECT_PROTO {
    @Override
    Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request) {
      return Optional.of(
          connectAnswer(
              doors.post(
                  "/api.EntroQ/" + request.method(),
                  "application/proto",
                  request.message().toByteArray())));
    }
  },

  STREAM {
    @Override
    Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request) {
      return streamed(request).map(doors::ask).map(Transport::streamAnswer);
    }
  };

  private static final Map<String, Message> V0_REQUESTS =
      Map.of(
          "TryClaim", ClaimRequest.getDefaultInstance(),
          "Claim", ClaimRequest.getDefaultInstance(),
          "Modify", ModifyRequest.getDefaultInstance(),
          "Tasks", TasksRequest.getDefaultInstance(),
          "Queues", QueuesRequest.getDefaultInstance(),
          "QueueStats", QueuesRequest.getDefaultInstance());

  private static final Map<String, String> GETS =
      Map.of(
          "Tasks", "/api/v0/tasks",
          "Queues", "/api/v0/queues",
          "QueueStats", "/api/v0/queues/stats",
          "Docs", "/api/v0/docs",
          "NamespaceStats", "/api/v0/namespaces/stats");

  private static final Map<String, String> POSTS =
      Map.of(
          "TryClaim", "/api/v0/claim",
          "Claim", "/api/v0/claim/wait",
          "Modify", "/api/v0/modify",
          "ClaimDocs", "/api/v0/docs/claim");

  /** Contract 1.13.6. */
  private static final Map<Status.Code, Integer> HTTP =
      Map.of(
          Status.Code.INVALID_ARGUMENT, 400,
          Status.Code.ABORTED, 409,
          Status.Code.UNIMPLEMENTED, 501,
          Status.Code.PERMISSION_DENIED, 403,
          Status.Code.UNAUTHENTICATED, 401,
          Status.Code.UNAVAILABLE, 503,
          Status.Code.RESOURCE_EXHAUSTED, 429);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Asks, and waits for the end; empty: it cannot be asked this way. */
  abstract Optional<TransportAnswer> ask(ServedTransports doors, TransportRequest request);

  private static TransportAnswer grpc(ServedTransports doors, String method, Message request) {
    try {
      // What is in the answer does not matter.
      Message unused =
          doors.client.call(method, request, com.google.protobuf.Empty.getDefaultInstance());
      return TransportAnswer.OK;
    } catch (StatusRuntimeException e) {
      return new TransportAnswer(e.getStatus().getCode(), e.getStatus().getDescription());
    }
  }

  /** The answer of REST as it comes. */
  static HttpResponse<byte[]> rest(ServedTransports doors, String method, JsonNode json) {
    String get = GETS.get(method);
    return get == null
        ? doors.post(
            POSTS.get(method), "application/json", json.toString().getBytes(StandardCharsets.UTF_8))
        : doors.get(get + "?" + RequestJson.parameters(json));
  }

  private static TransportAnswer restAnswer(HttpResponse<byte[]> response) {
    if (response.statusCode() == 200) {
      return TransportAnswer.OK;
    }
    JsonNode error = json(response);
    assertThat(error.has("details")).as("%s", error).isTrue();
    return httpAnswer(response, Status.fromCodeValue(error.get("code").asInt()).getCode(), error);
  }

  private static TransportAnswer connectAnswer(HttpResponse<byte[]> response) {
    if (response.statusCode() == 200) {
      return TransportAnswer.OK;
    }
    JsonNode error = json(response);
    return httpAnswer(
        response, Status.Code.valueOf(error.get("code").asText().toUpperCase(Locale.ROOT)), error);
  }

  private static TransportAnswer httpAnswer(
      HttpResponse<byte[]> response, Status.Code code, JsonNode error) {
    assertThat(response.statusCode()).as("%s", error).isEqualTo(HTTP.get(code));
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    return new TransportAnswer(code, error.get("message").asText());
  }

  private static JsonNode json(HttpResponse<byte[]> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<StreamRequest.Builder> streamed(TransportRequest request) {
    StreamRequest.Builder streamed = StreamRequest.newBuilder();
    return switch (request.method()) {
      case "TryClaim" ->
          Optional.of(
              streamed.setTryClaim(
                  (io.entroq.codec.wire.published.v1.ClaimRequest) request.message()));
      case "Claim" ->
          Optional.of(
              streamed.setClaim(
                  (io.entroq.codec.wire.published.v1.ClaimRequest) request.message()));
      case "Modify" ->
          Optional.of(
              streamed.setModify(
                  (io.entroq.codec.wire.published.v1.ModifyRequest) request.message()));
      case "ClaimDocs" -> Optional.of(streamed.setClaimDocs((ClaimDocsRequest) request.message()));
      default -> Optional.empty();
    };
  }

  private static TransportAnswer streamAnswer(StreamResponse response) {
    return response.hasError()
        ? new TransportAnswer(
            Status.fromCodeValue(response.getError().getCode()).getCode(),
            response.getError().getMessage())
        : TransportAnswer.OK;
  }
}
