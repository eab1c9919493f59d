package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v0.TaskChange;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.time.ManualClock;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases that are renewed by changes, contract 2.4.6, and claims that wait all the while. */
class RenewalTest {
  private static final long LEASE_MS = 30_000;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final ServedQueue served =
      new ServedQueue(EmbeddedConfig.inMemory().clock(clock).build());
  private final V1 v1 = new V1(served.client);
  private final V0 v0 = new V0(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  /** What is due by then has happened when this returns. */
  private void advance(long ms) {
    clock.advance(Duration.ofMillis(ms));
    assertThat(served.queue.time()).isEqualTo(clock.now());
  }

  @Test
  void shouldKeepATaskUntilTheEndOfTheRenewedLease() throws Exception {
    v1.insert("q", "t");
    Task claimed = v1.tryClaim("a", "q").getTask();
    ListenableFuture<ClaimResponse> other = v1.beginClaim(V1.claim("b", "q").build());
    until("the other one waits", () -> served.server.blockedClaims() == 1);
    advance(LEASE_MS / 2);
    Task renewed = renew(claimed);
    assertThat(renewed.getAtMs()).isEqualTo(claimed.getAtMs() + LEASE_MS / 2);
    assertThat(renewed.getClaimantId()).isEqualTo("a");

    advance(LEASE_MS / 2);
    assertThat(clock.nowMs()).isEqualTo(claimed.getAtMs());
    assertThat(v1.tryClaim("c", "q").hasTask()).isFalse();
    advance(LEASE_MS / 2 - 1);
    // The response to a change says nothing of attributes, so that a repeated one can say the same.
    assertThat(renewed.getInFlight()).isFalse();
    assertThat(v1.task("t")).isEqualTo(renewed.toBuilder().setInFlight(true).build());
    assertThat(other.isDone()).isFalse();

    advance(1);
    Task taken = other.get(30, TimeUnit.SECONDS).getTask();
    assertThat(taken.getVersion()).isEqualTo(renewed.getVersion() + 1);
    assertThat(taken.getClaimantId()).isEqualTo("b");
    assertThat(taken.getModifiedMs()).isEqualTo(renewed.getAtMs());
  }

  @Test
  void shouldCommitAfterTheEndOfTheLeaseThatWasRenewed() {
    v1.insert("q", "t");
    Task claimed = v1.tryClaim("a", "q").getTask();
    ListenableFuture<ClaimResponse> other = v1.beginClaim(V1.claim("b", "q").build());
    until("the other one waits", () -> served.server.blockedClaims() == 1);
    advance(LEASE_MS / 2);
    Task renewed = renew(claimed);
    advance(LEASE_MS / 2 + 1);

    assertThat(refusal(() -> commit(claimed)).getStatus().getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    commit(renewed);
    assertThat(v1.queues(io.entroq.codec.wire.published.v1.QueuesRequest.newBuilder()))
        .extracting(io.entroq.codec.wire.published.v1.QueueStats::getName)
        .containsExactly("done");
    advance(LEASE_MS);
    assertThat(other.isDone()).isFalse();
    assertThat(served.server.blockedClaims()).isEqualTo(1);
  }

  @Test
  void shouldRenewOverTheOlderApiToo() {
    String id = "12345678-9abc-4def-8123-456789abcdef";
    v0.insert(V0.data("q").setId(id));
    io.entroq.codec.wire.published.v0.Task claimed = v0.tryClaim(V0.BOB, "q").getTask();
    advance(LEASE_MS / 2);
    long renewedMs = clock.nowMs() + LEASE_MS;
    io.entroq.codec.wire.published.v0.Task renewed =
        v0.modify(
                V0.by(V0.BOB)
                    .addChanges(
                        TaskChange.newBuilder()
                            .setOldId(V0.ref(claimed))
                            .setNewData(V0.data("q").setId(id).setAtMs(renewedMs))))
            .getChanged(0);
    assertThat(renewed.getAtMs()).isEqualTo(renewedMs);
    assertThat(renewed.getClaimantId()).isEqualTo(V0.BOB);
    assertThat(renewed.getClaims()).isEqualTo(1);

    advance(LEASE_MS / 2);
    assertThat(v0.tryClaim(V0.ANN, "q").hasTask()).isFalse();
    assertThat(
            refusal(() -> v0.modify(V0.by(V0.ANN).addDeletes(V0.ref(renewed))))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(v0.task(id)).isEqualTo(renewed);
    advance(LEASE_MS / 2);
    assertThat(v0.tryClaim(V0.ANN, "q").getTask().getVersion()).isEqualTo(3);
  }

  @Test
  void shouldNotTakeThePollIntervalForADeadline() throws Exception {
    ListenableFuture<ClaimResponse> newer = v1.beginClaim(V1.claim("b", "q").setPollMs(50).build());
    ListenableFuture<io.entroq.codec.wire.published.v0.ClaimResponse> older =
        v0.beginClaim(V0.claim(V0.BOB, "r").setPollMs(50));
    until("both wait", () -> served.server.blockedClaims() == 2);
    for (int i = 0; i < 100; i++) {
      advance(50);
    }
    advance(TimeUnit.DAYS.toMillis(1));
    assertThat(served.server.blockedClaims()).isEqualTo(2);
    assertThat(newer.isDone()).isFalse();
    assertThat(older.isDone()).isFalse();

    v1.insert("q", "t");
    assertThat(newer.get(30, TimeUnit.SECONDS).getTask().getId()).isEqualTo("t");
    v0.insert(V0.data("r"));
    assertThat(older.get(30, TimeUnit.SECONDS).getTask().getVersion()).isEqualTo(1);
  }

  /** For another lease from now on. */
  private Task renew(Task task) {
    io.entroq.codec.wire.published.v1.TaskChange.Builder change = V1.change(task);
    change.getNewDataBuilder().setAtMs(clock.nowMs() + LEASE_MS);
    return v1.modify(
            ModifyRequest.newBuilder().setClaimantId(task.getClaimantId()).addChanges(change))
        .getChanged(0);
  }

  private void commit(Task task) {
    v1.modify(
        ModifyRequest.newBuilder()
            .setClaimantId("a")
            .addDeletes(V1.ref(task))
            .addInserts(V1.data("done")));
  }
}
