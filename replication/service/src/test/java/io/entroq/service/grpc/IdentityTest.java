package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.grpc.Status;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The extensions of the v1 API: requests that may come again, several tasks, claims in a Modify.
 */
class IdentityTest {
  private static final ByteString CLIENT = ByteString.copyFromUtf8("0123456789abcdef");

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldAnswerAModifyThatComesAgainAsBefore() {
    ModifyRequest.Builder request =
        modify(1)
            .addInserts(V1.data("q").setValue(ServedQueue.text("made once")))
            .addInserts(V1.data("q").setId("named"));
    ModifyResponse first = v1.modify(request);
    assertThat(v1.modify(request)).isEqualTo(first);
    assertThat(v1.modify(request)).isEqualTo(first);
    assertThat(v1.queues(QueuesRequest.newBuilder()).get(0).getNumTasks()).isEqualTo(2);
    assertThat(first.getInsertedList())
        .extracting(Task::getId)
        .allMatch(id -> id.equals("named") || id.matches("[0-9a-f]{16}"));

    Status reused = refusal(() -> v1.modify(request.setClaimantId("else"))).getStatus();
    assertThat(reused.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(reused.getDescription()).contains("request_number", "another request");
  }

  @Test
  void shouldNotTakeANumberOfAClientThatIsNotKnown() {
    Status unknown = refusal(() -> v1.modify(modify(7).addInserts(V1.data("q")))).getStatus();
    assertThat(unknown.getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(unknown.getDescription()).contains("client_id");
    assertThat(v1.queues(QueuesRequest.newBuilder())).isEmpty();
  }

  @Test
  void shouldAnswerAClaimThatComesAgainWithTheSameTask() {
    v1.insert("q", "a");
    v1.insert("q", "b");
    ClaimRequest request = claim(1).build();
    ClaimResponse first = v1.claim(request);
    assertThat(v1.claim(request)).isEqualTo(first);

    v1.modify(ModifyRequest.newBuilder().setClaimantId("c").addDeletes(V1.ref(first.getTask())));
    Status lost = refusal(() -> v1.claim(request)).getStatus();
    assertThat(lost.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(lost.getDescription()).contains("since been lost");
  }

  @Test
  void shouldClaimAsManyAsAskedFor() {
    for (int i = 0; i < 5; i++) {
      v1.insert("q", "t" + i);
    }
    ClaimResponse three = v1.claim(V1.claim("c", "q").setLimit(3).build());
    assertThat(three.getMoreCount()).isEqualTo(2);
    ClaimResponse rest = v1.tryClaim(V1.claim("c", "q").setLimit(1_000).build());
    assertThat(rest.getMoreCount()).isEqualTo(1);
    assertThat(Stream.of(three, rest).flatMap(IdentityTest::tasks).map(Task::getId))
        .containsExactlyInAnyOrder("t0", "t1", "t2", "t3", "t4");
  }

  @Test
  void shouldClaimTheNextTaskInTheSameMoment() {
    v1.insert("q", "next");
    Task done = v1.insert("done", "done");
    ModifyRequest.Builder request =
        modify(1)
            .setClaimantId("inserter")
            .addDeletes(V1.ref(done))
            .setThenClaim(
                ClaimRequest.newBuilder().addQueues("q").setDurationMs(30_000).setLimit(2));
    ModifyResponse response = v1.modify(request);
    assertThat(response.getClaimedList()).extracting(Task::getId).containsExactly("next");
    assertThat(response.getClaimed(0).getClaimantId()).isEqualTo("inserter");
    assertThat(v1.modify(request)).isEqualTo(response);
  }

  @Test
  void shouldNotKnowExtensionsInTheOtherApi() {
    ModifyRequest request =
        modify(7)
            .setClaimantId("a0000000-0000-4000-8000-00000000000a")
            .addInserts(V1.data("q"))
            .setThenClaim(ClaimRequest.newBuilder().addQueues("q").setDurationMs(1))
            .build();
    ModifyResponse response =
        served.client.call("proto.EntroQ/Modify", request, ModifyResponse.getDefaultInstance());
    assertThat(response.getInsertedCount()).isEqualTo(1);
    assertThat(response.getClaimedList()).isEmpty();
  }

  private static Stream<Task> tasks(ClaimResponse response) {
    return Stream.concat(Stream.of(response.getTask()), response.getMoreList().stream());
  }

  private static ModifyRequest.Builder modify(long number) {
    return ModifyRequest.newBuilder()
        .setClaimantId("c")
        .setClientId(CLIENT)
        .setRequestNumber(number)
        .setAckedBelow(1);
  }

  private static ClaimRequest.Builder claim(long number) {
    return V1.claim("c", "q").setClientId(CLIENT).setRequestNumber(number);
  }
}
