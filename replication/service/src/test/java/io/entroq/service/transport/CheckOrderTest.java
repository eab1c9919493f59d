package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.FakeOpa;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of all that is wrong with a request, the same is said first by each way (protocol 2, 3.1). */
class CheckOrderTest {
  private static final Set<Transport> BINARY = EnumSet.of(Transport.V1, Transport.CONNECT_PROTO);

  private volatile boolean allows;

  @Test
  void shouldCheckInTheSameOrderByEachWay() throws Exception {
    try (FakeOpa opa =
            new FakeOpa(
                input -> JsonMapper.builder().build().createObjectNode().put("allow", allows));
        Authorization authorization =
            Authorization.of(
                new AuthorizationConfig(
                    AuthorizationConfig.Mode.OPAHTTP,
                    opa.url(),
                    AuthorizationConfig.PATH_DEFAULT,
                    AuthorizationConfig.TIMEOUT_DEFAULT,
                    true,
                    true));
        ServedTransports doors = new ServedTransports(authorization::guard, Optional.empty());
        ServedTransports badDoors = doors.declaring("3")) {
      ModifyRequest.Builder all =
          ModifyRequest.newBuilder()
              .setUnknownFields(
                  UnknownFieldSet.newBuilder()
                      .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                      .build())
              .addInserts(
                  TaskData.newBuilder().setValue(Value.newBuilder().setNumberValue(Double.NaN)))
              .addDepends(TaskID.newBuilder().setId("none").setQueue("q"));
      assertFirst(badDoors, all, Status.Code.UNIMPLEMENTED, "this server serves");
      assertFirst(doors, all, Status.Code.INVALID_ARGUMENT, "field 99");
      all.setUnknownFields(UnknownFieldSet.getDefaultInstance());
      assertFirst(doors, all, Status.Code.INVALID_ARGUMENT, "must name a queue");
      all.getInsertsBuilder(0).setQueue("q");
      assertFirst(doors, all, Status.Code.INVALID_ARGUMENT, "inserts[0].value");
      assertThat(opa.asked).isEmpty();
      all.getInsertsBuilder(0).clearValue();
      assertFirst(doors, all, Status.Code.PERMISSION_DENIED, "denied");
      allows = true;
      for (Transport way : BINARY) {
        assertThat(way.ask(doors, TransportRequest.of("Modify", all)).orElseThrow().message())
            .isEqualTo("modification dependency error");
      }
    }
  }

  private static void assertFirst(
      ServedTransports doors, ModifyRequest.Builder request, Status.Code code, String words) {
    for (Transport way : BINARY) {
      TransportAnswer answer = way.ask(doors, TransportRequest.of("Modify", request)).orElseThrow();
      assertThat(answer.code()).as("%s: %s", way, answer).isEqualTo(code);
      assertThat(answer.message()).as("%s", way).contains(words);
    }
  }
}
