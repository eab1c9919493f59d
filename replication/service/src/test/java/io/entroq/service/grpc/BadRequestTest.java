package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.grpc.ServedQueue.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueueStats;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What is no message, or too long for one, is refused; nothing changes, the server lives. */
class BadRequestTest {
  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private Task task;
  private List<QueueStats> before;

  @BeforeEach
  void insert() {
    task = v1.insert("q", "t");
    before = stats();
  }

  @AfterEach
  void shouldBeAsBefore() {
    assertThat(stats()).isEqualTo(before);
    assertThat(v1.task("t")).isEqualTo(task);
    served.close();
  }

  /** But for ages, which pass. */
  private List<QueueStats> stats() {
    return v1.stats(QueuesRequest.newBuilder()).stream()
        .map(queue -> queue.toBuilder().clearOldestAvailableMs().build())
        .toList();
  }

  @Test
  void shouldRefuseWhatIsNoMessage() {
    ClaimRequest broken =
        ClaimRequest.newBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        1,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFrom(new byte[] {(byte) 0xFF}))
                            .build())
                    .build())
            .build();
    refuses(
        () -> served.client.call("api.EntroQ/TryClaim", broken, ClaimResponse.getDefaultInstance()),
        "cannot be read");
  }

  @Test
  void shouldRefuseMessagesThatAreTooLong() {
    ModifyRequest.Builder request = request();
    for (int i = 0; i < 12; i++) {
      request.addInserts(V1.data("q").setValue(ServedQueue.text("x".repeat(1_000_000))));
    }
    assertThat(refusal(modify(request)).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    // Below the limit of messages, above that of commands.
    refuses(
        modify(request.removeInserts(0).removeInserts(0).removeInserts(0)),
        "--command-bytes-max allows");
  }

  private Executable modify(ModifyRequest.Builder request) {
    return () -> v1.modify(request);
  }

  private static ModifyRequest.Builder request() {
    return ModifyRequest.newBuilder().setClaimantId("inserter");
  }
}
