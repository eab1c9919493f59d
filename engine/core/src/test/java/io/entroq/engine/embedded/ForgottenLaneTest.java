package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.engine.local.Submitter;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The state remembers only so many clients; lanes that were idle for long may be forgotten. */
class ForgottenLaneTest {
  private static final int CLIENTS_KEPT = 65_536;

  @Test
  void shouldClaimOnANewLaneWhenTheStateHasForgottenTheOld() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      insertAndClaim(queue, 2);
      assertThat(queue.engine().entrance().lanes().made()).isEqualTo(2);
      visit(queue.engine().entrance().submitter(), CLIENTS_KEPT);

      queue.modify(Modification.insert("q", "v")).orThrow();
      Task task = queue.claim(Claim.from("q"));
      queue.modify(Modification.delete(task)).orThrow();
      assertThat(queue.engine().entrance().lanes().made()).isEqualTo(3);
    }
  }

  @Test
  void shouldCompleteAFutureOnANewLaneWhenTheStateHasForgottenTheOld() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      insertAndClaim(queue, 1);
      visit(queue.engine().entrance().submitter(), CLIENTS_KEPT);

      insertAndClaim(queue, 1);

      assertThat(queue.engine().entrance().lanes().made()).isEqualTo(2);
    }
  }

  @Test
  void shouldAnswerAServerOnANewLaneWhenTheStateHasForgottenTheOld() {
    EmbeddedEngine engine;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      engine = queue.engine();
      insertAndClaimForServer(queue);
      visit(engine.entrance().submitter(), CLIENTS_KEPT);

      insertAndClaimForServer(queue);

      assertThat(engine.entrance().lanes().made()).isEqualTo(2);
    }
    assertThat(engine.executor().lanesKnown()).isEqualTo(1);
  }

  private static void insertAndClaimForServer(EmbeddedEntroQ queue) {
    GatewayCalls.Heard heard = new GatewayCalls.Heard();
    WaitingClaim claim = queue.gateway().waitingClaim(0, GatewayCalls.waitingClaim("q"), heard);
    queue.modify(Modification.insert("q", "v")).orThrow();
    assertThat(heard.await().claimed).isEqualTo(1);
    claim.settle();
  }

  private static void insertAndClaim(EmbeddedEntroQ queue, int claims) throws Exception {
    List<CompletableFuture<List<Task>>> waiting = new ArrayList<>();
    for (int i = 0; i < claims; i++) {
      waiting.add(queue.claimAsync(Claim.from("q")));
    }
    for (CompletableFuture<List<Task>> claim : waiting) {
      queue.modify(Modification.insert("q", "v")).orThrow();
      Task task = claim.get(30, TimeUnit.SECONDS).get(0);
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  /** So many other clients come by once. */
  private static void visit(Submitter submitter, int clients) {
    Slice name = new Slice("empty".getBytes(StandardCharsets.UTF_8));
    ClaimEncoder claim = new ClaimEncoder();
    for (int client = 1; client <= clients; client++) {
      RequestSlot slot = submitter.acquire(RequestKind.CLAIM, false, 0);
      slot.commandLength =
          claim.wrap(slot.command(), 0).identity(7, client, 1, 1).queue(name).length();
      submitter.submit(slot);
      submitter.await(slot);
      assertThat(slot.outcome()).isEqualTo(RequestOutcome.REPLIED);
      submitter.release(slot);
    }
  }
}
