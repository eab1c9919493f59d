package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each code of gRPC as HTTP shows it (protocol 2, 2.4 and 4). */
class AnswerCodesTest {
  private static final String MESSAGE = "such is life";

  @ParameterizedTest
  @CsvSource({
    "INVALID_ARGUMENT, 400, 3, invalid_argument",
    "UNAUTHENTICATED, 401, 16, unauthenticated",
    "PERMISSION_DENIED, 403, 7, permission_denied",
    // Whatever was not there: a client must not take it for a route that is not.
    "NOT_FOUND, 409, 10, aborted",
    "RESOURCE_EXHAUSTED, 429, 8, resource_exhausted",
    "INTERNAL, 500, 13, internal",
    "UNIMPLEMENTED, 501, 12, unimplemented",
    "UNAVAILABLE, 503, 14, unavailable"
  })
  void shouldShowACodeByEachWay(Status.Code code, int status, int number, String name)
      throws Exception {
    Refusal refusal = new Refusal(code, MESSAGE);
    try (ServedTransports doors =
        new ServedTransports(service -> new Refusing(service, refusal), Optional.empty())) {
      TransportRequest tasks =
          TransportRequest.of("Tasks", TasksRequest.newBuilder().setQueue("q"));
      for (Transport way : new Transport[] {Transport.V0, Transport.V1}) {
        assertThat(way.ask(doors, tasks)).contains(new TransportAnswer(code, MESSAGE));
      }
      HttpResponse<byte[]> rest = doors.get("/api/v0/tasks?queue=q");
      assertThat(rest.statusCode()).isEqualTo(status);
      assertThat(new String(rest.body(), StandardCharsets.UTF_8))
          .isEqualTo("{\"code\":%d,\"message\":\"%s\",\"details\":[]}".formatted(number, MESSAGE));
      HttpResponse<byte[]> connect =
          doors.post(
              "/api.EntroQ/Tasks",
              "application/json",
              "{\"queue\":\"q\"}".getBytes(StandardCharsets.UTF_8));
      assertThat(connect.statusCode()).isEqualTo(status);
      JsonNode error = JsonMapper.builder().build().readTree(connect.body());
      assertThat(error.get("code").asText()).isEqualTo(name);
      assertThat(error.get("message").asText()).isEqualTo(MESSAGE);
    }
  }

  /** What nobody has thought of is the server's fault. */
  @Test
  void shouldTakeAnythingElseForAFaultOfTheServer() {
    assertThat(Refusal.FAULT.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(Refusal.of(new EntroQException.TimedOut("late")).code())
        .isEqualTo(Status.Code.INTERNAL);
  }

  /** As when an engine or a member fails while it executes a request. */
  @Test
  void shouldTellAnUnknownOutcomeFromAFault() {
    assertThat(Refusal.of(new EntroQException.OutcomeUnknown("it failed meanwhile")).code())
        .isEqualTo(Status.Code.UNKNOWN);
  }

  private static final class Refusing extends ServiceFilter {
    private final Refusal refusal;

    Refusing(Service next, Refusal refusal) {
      super(next);
      this.refusal = refusal;
    }

    @Override
    public <Q extends Message, S extends Message> Call handle(
        Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
      reply.fail(refusal);
      return Call.done();
    }
  }
}
