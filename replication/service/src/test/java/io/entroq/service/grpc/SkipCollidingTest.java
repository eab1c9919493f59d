package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.entroq.codec.wire.published.v0.ActionType;
import io.entroq.codec.wire.published.v0.ModifyDep;
import io.entroq.codec.wire.published.v0.ModifyRequest;
import io.entroq.codec.wire.published.v0.ModifyResponse;
import io.entroq.codec.wire.published.v0.QueuesRequest;
import io.entroq.codec.wire.published.v0.QueuesResponse;
import io.entroq.codec.wire.published.v0.TaskData;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Inserts that are left out where there is a task already, as Go clients do it by themselves: they
 * ask again without what was named in the details, contract 1.9.1. Of that many not all are named
 * at once, but each time some.
 */
class SkipCollidingTest {
  private static final int COLLIDING = 1_000;
  private static final int NEW = 100;

  private final ServedQueue served = new ServedQueue();

  @AfterEach
  void close() {
    served.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"proto", "api"})
  void shouldComeToAnEnd(String api) throws Exception {
    // What is used of the messages here has the same form in both APIs.
    modify(api, request(inserts("first", COLLIDING)));
    Map<String, TaskData> wanted = inserts("again", COLLIDING + NEW);
    int rounds = 0;
    while (true) {
      StatusRuntimeException refused;
      try {
        modify(api, request(wanted));
        break;
      } catch (StatusRuntimeException e) {
        refused = e;
      }
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      int before = wanted.size();
      for (Any detail : ServedQueue.details(refused)) {
        assertThat(detail.getTypeUrl()).isEqualTo("type.googleapis.com/" + api + ".ModifyDep");
        ModifyDep dep = ModifyDep.parseFrom(detail.getValue());
        if (dep.getType() != ActionType.DETAIL) {
          assertThat(dep.getType()).isEqualTo(ActionType.INSERT);
          assertThat(dep.getId().getQueue()).isEqualTo("first");
          assertThat(wanted.remove(dep.getId().getId()))
              .as("collided and was asked for")
              .isNotNull();
        }
      }
      assertThat(wanted.size()).isLessThan(before).isGreaterThanOrEqualTo(NEW);
      rounds++;
    }
    assertThat(wanted).hasSize(NEW);
    assertThat(rounds).isBetween(2, 50);
    assertThat(
            served
                .client
                .call(
                    api + ".EntroQ/Queues",
                    QueuesRequest.getDefaultInstance(),
                    QueuesResponse.getDefaultInstance())
                .getQueuesList())
        .extracting(queue -> queue.getName() + " " + queue.getNumTasks())
        .containsExactlyInAnyOrder("first " + COLLIDING, "again " + NEW);
  }

  private void modify(String api, ModifyRequest request) {
    ModifyResponse response =
        served.client.call(api + ".EntroQ/Modify", request, ModifyResponse.getDefaultInstance());
    assertThat(response.getInsertedCount()).isEqualTo(request.getInsertsCount());
  }

  private static ModifyRequest request(Map<String, TaskData> inserts) {
    return V0.by(V0.ANN).addAllInserts(inserts.values()).build();
  }

  /** By their ids, which are the same each time. */
  private static Map<String, TaskData> inserts(String queue, int count) {
    Map<String, TaskData> inserts = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String id = new UUID(0x1234_5678_9abc_4defL, 0x8000_0000_0000_0000L + i).toString();
      inserts.put(id, V0.data(queue).setId(id).build());
    }
    return inserts;
  }
}
