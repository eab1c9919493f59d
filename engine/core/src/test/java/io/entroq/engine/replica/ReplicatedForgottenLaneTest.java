package io.entroq.engine.replica;

import static io.entroq.engine.embedded.GatewayCalls.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The state remembers only so many clients. A replica that has lent nobody its lanes for long finds
 * all of them forgotten, and does what it is asked all the same.
 */
class ReplicatedForgottenLaneTest {
  private static final int CLIENTS_KEPT = 65_536;
  private static final int TOGETHER = 64;
  private static final int TURNS_MAX = 20;

  private final ReplicatedEngine engine = DrivenReplica.engine(() -> 1_000_000, System::nanoTime);

  @BeforeEach
  void open() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    engine.proposer().proposeGenesis();
    turn();
  }

  @AfterEach
  void close() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldModifyUnderANewLaneWhenTheStateHasForgottenAllOthers() {
    for (int i = 0; i < 3; i++) {
      CompletableFuture<ModifyResult> unused = insert();
    }
    turn();
    visit();

    CompletableFuture<ModifyResult> insert = insert();
    for (int i = 0; i < TURNS_MAX && !insert.isDone(); i++) {
      turn();
    }

    assertThat(insert).isCompletedWithValueMatching(ModifyResult::isCommitted);
    assertThat(engine.applier().machine().taskCount()).isEqualTo(4);
  }

  private CompletableFuture<ModifyResult> insert() {
    return engine.queue().modifyAsync(Modification.insert("q", "v"));
  }

  /** As many other clients come by once as the state remembers. */
  private void visit() {
    for (int client = 1; client <= CLIENTS_KEPT; client++) {
      engine.queue().gateway().claim(new Identity(7, client, 1, 1), 0, claim("none"), new Heard());
      if (client % TOGETHER == 0) {
        turn();
      }
    }
  }

  private void turn() {
    engine.proposer().doWork(this::order);
    engine.applier().doWork(Contact.LEADER);
    engine.reply();
  }

  private boolean order(DirectBuffer buffer, int offset, int length) {
    engine.applier().apply(buffer, offset, length, 1_000_000);
    return true;
  }
}
