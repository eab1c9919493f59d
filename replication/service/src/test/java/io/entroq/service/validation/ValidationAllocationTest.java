package io.entroq.service.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.Protocol;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that are served often are checked without garbage. */
class ValidationAllocationTest {
  private static final int WARM_UP = 200_000;
  private static final int ROUNDS = 1_000_000;
  private static final String ID = "12345678-9abc-4def-8123-456789abcdef";
  private static final TaskID TASK =
      TaskID.newBuilder().setId(ID).setVersion(1).setQueue("q").build();

  private static List<Message> requests() {
    ModifyRequest.Builder modify = ModifyRequest.newBuilder().setClaimantId(ID);
    TaskChange.Builder renewal =
        TaskChange.newBuilder()
            .setOldId(TASK)
            .setNewData(TaskData.newBuilder().setByMs(30_000))
            .setMode(ChangeMode.CHANGE_LEASE);
    return List.of(
        ClaimRequest.newBuilder().setClaimantId(ID).addQueues("q").setDurationMs(30_000).build(),
        modify.clone().addInserts(TaskData.newBuilder().setQueue("q").setId(ID)).build(),
        modify.clone().addDeletes(TASK).build(),
        modify.clone().addChanges(renewal).build());
  }

  @Test
  void shouldCheckRequestsOfOneItemWithoutGarbage() throws InvalidProtocolBufferException {
    for (Message request : requests()) {
      // As it comes from a client.
      Message parsed = request.getParserForType().parseFrom(request.toByteString());
      check(parsed, WARM_UP);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      check(parsed, ROUNDS);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated).as("bytes over %d rounds of %s", ROUNDS, request).isLessThan(ROUNDS);
    }
  }

  private static void check(Message request, int rounds) {
    for (int i = 0; i < rounds; i++) {
      RequestRules.check(request, Protocol.TWO);
    }
  }
}
