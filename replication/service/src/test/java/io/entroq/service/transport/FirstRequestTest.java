package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.V1;
import io.entroq.service.queue.FirstRequests;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An identity can be used whatever becomes of its first request, by each way. */
class FirstRequestTest {
  private final FakeOpa opa = new FakeOpa(new ExamplePolicy());
  private final Authorization authorization =
      Authorization.of(
          new AuthorizationConfig(
              AuthorizationConfig.Mode.OPAHTTP,
              opa.url(),
              AuthorizationConfig.PATH_DEFAULT,
              AuthorizationConfig.TIMEOUT_DEFAULT,
              true,
              false));
  private final FirstRequests firsts = new FirstRequests();
  private final ServedTransports doors;

  FirstRequestTest() throws Exception {
    doors =
        new ServedTransports(
            service -> firsts.before(authorization.guard(service), service),
            Optional.of("Bearer token-of-ann"));
  }

  @AfterEach
  void close() {
    doors.close();
    authorization.close();
    opa.close();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V0")
  void shouldTakeWhatFollowsARequestThatWasDenied(Transport way) {
    ModifyRequest.Builder denied = request(1, 1).addInserts(V1.data("/secret"));
    assertThat(ask(way, denied).code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(ask(way, inserting(2, 2))).isEqualTo(TransportAnswer.OK);
    assertThat(ask(way, inserting(3, 1))).isEqualTo(TransportAnswer.OK);
    assertThat(ask(way, inserting(2, 2))).isEqualTo(TransportAnswer.OK);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V0")
  void shouldTakeWhatFollowsARequestThatWasWrong(Transport way) {
    ModifyRequest.Builder wrong = inserting(1, 1).addInserts(V1.data("/shop/" + "q".repeat(2_000)));
    assertThat(ask(way, wrong).code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ask(way, inserting(2, 2))).isEqualTo(TransportAnswer.OK);
    assertThat(ask(way, inserting(3, 3))).isEqualTo(TransportAnswer.OK);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V0")
  void shouldTakeASecondRequestThatComesBeforeTheFirst(Transport way) throws Exception {
    CompletableFuture<Object> first = new CompletableFuture<>();
    // The authorizer is asked about the second one when the first is let go.
    opa.decide(
        input -> {
          if (!first.isDone()) {
            first.completeAsync(
                () ->
                    doors.client.call(
                        "api.EntroQ/Modify",
                        inserting(1, 1).build(),
                        com.google.protobuf.Empty.getDefaultInstance()),
                CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
          }
          return new ExamplePolicy().apply(input);
        });
    assertThat(ask(way, inserting(2, 1))).isEqualTo(TransportAnswer.OK);
    first.get(30, TimeUnit.SECONDS);
  }

  private TransportAnswer ask(Transport way, ModifyRequest.Builder request) {
    return way.ask(doors, TransportRequest.of("Modify", request)).orElseThrow();
  }

  private static ModifyRequest.Builder inserting(long number, long ackedBelow) {
    return request(number, ackedBelow).addInserts(TaskData.newBuilder().setQueue("/shop/orders"));
  }

  private static ModifyRequest.Builder request(long number, long ackedBelow) {
    return ModifyRequest.newBuilder()
        .setClaimantId("ann#1")
        .setClientId(ByteString.copyFrom(ByteBuffer.allocate(16).putInt(7).array()))
        .setRequestNumber(number)
        .setAckedBelow(ackedBelow);
  }
}
