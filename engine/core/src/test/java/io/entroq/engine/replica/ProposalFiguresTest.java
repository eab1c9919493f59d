package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a replica tells of the commands that are on their way. */
class ProposalFiguresTest {
  private static final int COMMANDS = 3;

  private final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().build(), System::currentTimeMillis, Duration.ofMinutes(10));
  private final ArrayDeque<byte[]> offered = new ArrayDeque<>();

  @AfterEach
  void end() {
    engine.close();
    engine.end();
    assertThat(engine.proposals()).isEqualTo(ProposalStats.NONE);
  }

  @Test
  void shouldTellWhatWaitsAndForHowLong() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    engine.proposer().proposeGenesis();
    work();
    assertThat(engine.proposals()).isEqualTo(ProposalStats.NONE);

    for (int i = 0; i < COMMANDS; i++) {
      var unused = engine.queue().modifyAsync(Modification.insert("inbox", "hello"));
    }
    engine.proposer().doWork((buffer, offset, length) -> false);
    assertWaiting(COMMANDS, 0);
    engine.proposer().doWork(this::offer);
    assertWaiting(0, COMMANDS);
    work();
    Await.until("all is answered", () -> engine.proposals().equals(ProposalStats.NONE));
  }

  private void assertWaiting(int unsent, int unanswered) {
    ProposalStats figures = engine.proposals();
    assertThat(figures.requestsInFlight()).isEqualTo(COMMANDS);
    assertThat(figures.unsent()).isEqualTo(unsent);
    assertThat(figures.unanswered()).isEqualTo(unanswered);
    assertThat(figures.oldestNs()).isPositive();
  }

  private void work() {
    engine.proposer().doWork(this::offer);
    for (byte[] next = offered.poll(); next != null; next = offered.poll()) {
      engine.applier().apply(new UnsafeBuffer(next), 0, next.length, 1_000_000);
    }
    engine.proposer().doWork(this::offer);
  }

  private boolean offer(DirectBuffer buffer, int offset, int length) {
    byte[] message = new byte[length];
    buffer.getBytes(offset, message);
    return offered.add(message);
  }
}
