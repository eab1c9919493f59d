package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tasks whose claimer cannot be told of them. */
class GiveBackTest {
  private static final ByteString CLIENT = ByteString.copyFromUtf8("0123456789abcdef");

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldKeepWhatWasDelivered() {
    v1.insert("q", "t");
    Task task = v1.tryClaim("c", "q").getTask();
    assertThat(v1.tryClaim("c", "q").hasTask()).isFalse();
    served.connect().close();
    assertThat(v1.task("t")).isEqualTo(task);
    assertThat(task.getVersion()).isEqualTo(1);
    assertThat(task.getClaims()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhatDoesNotFitIntoAnAnswer() {
    insertLong();
    ClaimRequest.Builder both = V1.claim("c", "q").setLimit(2);
    refuses(() -> v1.tryClaim(both.build()));
    refuses(() -> v1.claim(both.build()));
    both.setClientId(CLIENT).setRequestNumber(1);
    refuses(() -> v1.tryClaim(both.build()));
    refuses(() -> v1.claim(both.setRequestNumber(2).build()));
    until("both are back", () -> available() == 2);
    assertThat(v1.tryClaim(both.setRequestNumber(3).setLimit(1).build()).hasTask()).isTrue();
    Task other = v1.tryClaim("c", "q").getTask();
    assertThat(other.getClaims()).isEqualTo(1);
  }

  @Test
  void shouldDoAModifyWhoseClaimDoesNotFitIntoTheAnswer() {
    insertLong();
    ModifyRequest.Builder request =
        ModifyRequest.newBuilder()
            .setClaimantId("c")
            .addInserts(V1.data("done"))
            .setThenClaim(
                ClaimRequest.newBuilder().addQueues("q").setDurationMs(60_000).setLimit(2));
    for (int number = 0; number <= 1; number++) {
      if (number > 0) {
        request.setClientId(CLIENT).setRequestNumber(number);
      }
      ModifyResponse response = v1.modify(request);
      assertThat(response.getInsertedCount()).isEqualTo(1);
      assertThat(response.getClaimedList()).isEmpty();
      until("both are back", () -> available() == 2);
    }
    assertThat(v1.modify(request).getClaimedList()).isEmpty();
    assertThat(v1.queues(QueuesRequest.newBuilder().addMatchExact("done")).get(0).getNumTasks())
        .isEqualTo(2);
    request.clearClientId().clearRequestNumber().getThenClaimBuilder().setLimit(1);
    assertThat(v1.modify(request).getClaimedList()).hasSize(1);
  }

  /** Two tasks that fit into an answer, but not together. */
  private void insertLong() {
    for (String id : List.of("a", "b")) {
      v1.modify(
          ModifyRequest.newBuilder()
              .addInserts(V1.data("q").setId(id).setErr("x".repeat(5_400_000))));
    }
  }

  private long available() {
    return v1.stats(QueuesRequest.newBuilder().addMatchExact("q")).get(0).getNumAvailable();
  }

  private static void refuses(Executable claim) {
    Status status = refusal(claim).getStatus();
    assertThat(status.getCode()).as("%s", status).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(status.getDescription()).contains("limit message-bytes: 2 tasks", "given back");
  }
}
