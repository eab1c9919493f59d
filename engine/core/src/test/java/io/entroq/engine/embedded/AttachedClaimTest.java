package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.local.Submitter;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A waiting claim that is asked for again, as after a lost reply, is one claim. */
class AttachedClaimTest {
  @Test
  void shouldAnswerEveryRetryWithTheSameTask() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      Submitter submitter = queue.engine().entrance().submitter();
      List<RequestSlot> slots = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        slots.add(sendClaim(submitter));
      }
      Await.until("all wait", () -> queue.engine().isAsleep());
      assertThat(slots).noneMatch(RequestSlot::isDone);
      assertThat(queue.engine().store().core().machine().parkedCount()).isEqualTo(1);

      queue.modify(Modification.insert("q", "v")).orThrow();

      List<Long> ids = new ArrayList<>();
      for (RequestSlot slot : slots) {
        submitter.await(slot);
        ResultDecoder result = new ResultDecoder();
        result.wrap(slot.result(), 0, slot.resultLength);
        assertThat(result.code()).isEqualTo(ResultCodes.OK);
        ids.add(result.claimed(0).idLow());
        submitter.release(slot);
      }
      assertThat(ids).hasSize(3).containsOnly(ids.get(0));
    }
  }

  @Test
  void shouldAnswerEveryRetryWhenTheEngineFails() {
    EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
    Submitter submitter = queue.engine().entrance().submitter();
    List<RequestSlot> slots = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      slots.add(sendClaim(submitter));
    }
    Await.until("all wait", () -> queue.engine().isAsleep());

    queue.engine().state().fail(new IllegalStateException("broken"));
    queue.close();

    assertThat(slots).allMatch(RequestSlot::isDone);
    assertThat(slots).extracting(RequestSlot::outcome).containsOnly(RequestOutcome.UNKNOWN);
  }

  private static RequestSlot sendClaim(Submitter submitter) {
    RequestSlot slot = submitter.acquire(RequestKind.CLAIM, false, 0);
    slot.commandLength =
        new ClaimEncoder()
            .wrap(slot.command(), 0)
            .identity(7, 7, 1, 1)
            .queue(new Slice("q".getBytes(StandardCharsets.UTF_8)))
            .leaseMs(30_000)
            .waits(true)
            .length();
    submitter.submit(slot);
    return slot;
  }
}
