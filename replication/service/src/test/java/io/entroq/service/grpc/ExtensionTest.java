package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refuses;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.entroq.codec.wire.published.v1.CancelClaimRequest;
import io.entroq.codec.wire.published.v1.CancelClaimResponse;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The extensions of the v1 API by which a client has all of the library's own API. */
class ExtensionTest {
  private static final ByteString CLIENT = ByteString.copyFromUtf8("0123456789abcdef");
  private static final ByteString BYTES = ByteString.copyFrom(new byte[] {0, -1, 7});

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldShowBytesAsSuchToWhoeverAsksForThem() {
    Task inserted = insert(V1.data("q").setId("a").setRaw(BYTES));
    assertThat(inserted.getRaw()).isEqualTo(BYTES);
    assertThat(inserted.hasValue()).isFalse();

    TasksRequest.Builder listing = TasksRequest.newBuilder().setQueue("q");
    Task shown = v1.tasks(listing).get(0);
    assertThat(shown.getValue().getStringValue()).isEqualTo("AP8H");
    assertThat(shown.hasRaw()).isFalse();
    listing.setRawValues(true);
    assertThat(v1.tasks(listing).get(0).getRaw()).isEqualTo(BYTES);
    assertThat(
            served.client.stream(
                    "api.EntroQ/StreamTasks", listing.build(), TasksResponse.getDefaultInstance())
                .get(0)
                .getTasks(0)
                .getRaw())
        .isEqualTo(BYTES);
    Task claimed = v1.tryClaim(V1.claim("c", "q").setRawValues(true).build()).getTask();
    assertThat(claimed.getRaw()).isEqualTo(BYTES);
    assertThat(claimed.hasValue()).isFalse();
  }

  @Test
  void shouldTellEmptyBytesFromNone() {
    assertThat(insert(V1.data("q").setRaw(ByteString.EMPTY)).hasRaw()).isTrue();
    Task none = insert(V1.data("q"));
    assertThat(none.hasRaw()).isFalse();
    assertThat(none.hasValue()).isFalse();
    assertThat(v1.tasks(TasksRequest.newBuilder().setQueue("q").setRawValues(true)))
        .extracting(Task::hasRaw)
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void shouldShowJsonAsJsonAlsoToWhoeverAsksForBytes() {
    insert(V1.data("q").setValue(ServedQueue.text("json")));
    Task task = v1.tasks(TasksRequest.newBuilder().setQueue("q").setRawValues(true)).get(0);
    assertThat(task.getValue().getStringValue()).isEqualTo("json");
    assertThat(task.hasRaw()).isFalse();
  }

  @Test
  void shouldRefuseTwoValuesAtOnce() {
    refuses(
        () -> insert(V1.data("q").setRaw(BYTES).setValue(ServedQueue.text("x"))),
        "inserts[0].raw: value is set too");
  }

  @Test
  void shouldEndAClaimAtItsDeadline() throws Exception {
    ClaimRequest request = claim(1).setDeadlineMs(served.queue.time().toEpochMilli() + 50).build();
    ListenableFuture<ClaimResponse> first = v1.beginClaim(request);
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(ClaimResponse.getDefaultInstance());
    assertThat(v1.claim(request)).isEqualTo(ClaimResponse.getDefaultInstance());
    refuses(() -> v1.claim(claim(2).setDeadlineMs(-1).build()), "deadline_ms: negative");
  }

  @Test
  void shouldEndAClaimThatWaitsWhenItIsCancelledByItsNumber() {
    ListenableFuture<ClaimResponse> waiting = v1.beginClaim(claim(1).build());
    until("the claim waits", () -> served.server.blockedClaims() == 1);
    assertThat(cancel(1)).isTrue();
    assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("FAILED_PRECONDITION");
    assertThat(cancel(1)).isFalse();
    Task task = v1.insert("q", "a");
    assertThat(v1.task("a")).isEqualTo(task);
  }

  @Test
  void shouldGiveBackWhatACancelledClaimWasGiven() {
    Task inserted = v1.insert("q", "a");
    ClaimResponse first = v1.claim(claim(1).build());
    assertThat(first.getTask().getVersion()).isEqualTo(1);
    assertThat(cancel(1)).isTrue();
    Task back = v1.task("a");
    assertThat(back.getClaims()).isZero();
    assertThat(back.getVersion()).isEqualTo(2);
    assertThat(back.getAtMs()).isEqualTo(inserted.getAtMs());
    assertThat(cancel(1)).isFalse();
    assertThat(cancel(7)).isFalse();
  }

  @Test
  void shouldRefuseACancelWithoutAnIdentity() {
    refuses(() -> cancel(CancelClaimRequest.newBuilder()), "client_id: missing");
    refuses(() -> cancel(CancelClaimRequest.newBuilder().setClientId(CLIENT)), "request_number");
    refuses(
        () -> cancel(CancelClaimRequest.newBuilder().setRequestNumber(1)), "client_id: 0 bytes");
  }

  @Test
  void shouldTellForHowLongTheOldestTaskHasBeenAvailable() {
    insert(V1.data("q").setAtMs(served.queue.time().toEpochMilli() - 5_000));
    insert(V1.data("later").setAtMs(served.queue.time().toEpochMilli() + 60_000));
    assertThat(v1.stats(QueuesRequest.newBuilder().addMatchExact("q")).get(0))
        .matches(queue -> queue.getOldestAvailableMs() >= 5_000);
    assertThat(v1.stats(QueuesRequest.newBuilder().addMatchExact("later")).get(0))
        .matches(queue -> !queue.hasOldestAvailableMs());
  }

  @Test
  void shouldSayThatItKnowsThem() {
    TimeResponse time =
        served.client.call(
            "api.EntroQ/Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    assertThat(time.getFeatures() & 0b1110_0111).isEqualTo(0b1110_0111);
  }

  private Task insert(TaskData.Builder data) {
    return v1.modify(ModifyRequest.newBuilder().setClaimantId("c").addInserts(data)).getInserted(0);
  }

  private static ClaimRequest.Builder claim(long number) {
    return V1.claim("c", "q").setClientId(CLIENT).setRequestNumber(number);
  }

  private boolean cancel(long number) {
    return cancel(CancelClaimRequest.newBuilder().setClientId(CLIENT).setRequestNumber(number));
  }

  private boolean cancel(CancelClaimRequest.Builder request) {
    return served
        .client
        .call("api.EntroQ/CancelClaim", request.build(), CancelClaimResponse.getDefaultInstance())
        .getCancelled();
  }
}
