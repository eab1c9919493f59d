package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many messages count as uncommitted, and what follows from it. The test is the log. */
class GatheringTest {
  private static final int MESSAGES_MAX = 8;
  private static final long QUIET_NS = 2_000_000;

  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final ReplicatedEngine engine = DrivenReplica.engine(() -> 1, nowNs::get);
  private final Proposer proposer = engine.proposer();
  private final List<byte[]> offered = new ArrayList<>();

  GatheringTest() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    proposer.proposeGenesis();
    proposer.doWork(this::offer);
    commitAll();
  }

  @AfterEach
  void close() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldGatherAsLongAsEightMessagesAreUncommitted() {
    send(MESSAGES_MAX);
    for (int i = 0; i < 3; i++) {
      commit();
      assertThat(isGathering()).isFalse();
      send(1);
      assertThat(isGathering()).isTrue();
    }
    commitAll();
    assertUncommitted(0);
  }

  @Test
  void shouldCountMessagesAnewThatAreSentAgain() {
    send(MESSAGES_MAX);
    proposer.resend();
    proposer.doWork(this::offer);
    assertThat(offered).hasSize(MESSAGES_MAX + 1);
    assertUncommitted(1);
  }

  @Test
  void shouldNotCountWhatIsCommittedBeforeItIsSentAgain() {
    send(3);
    proposer.resend();
    commit();
    proposer.doWork(this::offer);
    assertUncommitted(1);
    commitAll();
    assertUncommitted(0);
  }

  @Test
  void shouldNotCountWhatIsCommittedWhileItIsSentAgain() {
    send(3);
    proposer.resend();
    proposer.doWork(
        (buffer, offset, length) -> {
          commitAll();
          return offer(buffer, offset, length);
        });
    assertUncommitted(0);
  }

  @Test
  void shouldNotCountWhatIsCommittedWhileItCannotBeSentAgain() {
    send(3);
    proposer.resend();
    proposer.doWork(
        (buffer, offset, length) -> {
          commit();
          return false;
        });
    assertThat(proposer.hasUnsent()).isTrue();
    proposer.doWork(this::offer);
    assertUncommitted(1);
  }

  /** Its last proposal may be committed before the first of the next message is. */
  @Test
  void shouldCountEachMessageOnceThoughItsProposalsHaveMovedToAnother() {
    send(2);
    proposer.resend();
    insert();
    proposer.doWork(this::offer);
    commit();
    commit();
    assertUncommitted(1);
    commitAll();
    assertUncommitted(0);
  }

  /** Without a leader, nothing can be sent, and there is no need to look every 250 µs. */
  @Test
  void shouldLookLessOftenOnceNothingIsCommitted() {
    send(MESSAGES_MAX);
    assertThat(proposer.gatherNs(QUIET_NS)).isEqualTo(Proposer.GATHER_NS);
    nowNs.addAndGet(Proposer.SLOW_NS + 1);
    proposer.doWork(this::offer);
    assertThat(proposer.gatherNs(QUIET_NS)).isEqualTo(QUIET_NS);
    assertThat(proposer.gatherNs(1)).as("not more often").isEqualTo(Proposer.GATHER_NS);
    insert();
    proposer.doWork(this::offer);
    assertThat(proposer.gatherNs(QUIET_NS)).isEqualTo(Proposer.GATHER_NS);
  }

  private void insert() {
    var unused = engine.queue().modifyAsync(Modification.insert("inbox", "hello"));
  }

  private void send(int messages) {
    for (int i = 0; i < messages; i++) {
      insert();
      proposer.doWork(this::offer);
    }
  }

  /** Exactly so many more make eight. */
  private void assertUncommitted(int messages) {
    assertThat(isGathering()).isFalse();
    send(MESSAGES_MAX - messages - 1);
    assertThat(isGathering()).isFalse();
    send(1);
    assertThat(isGathering()).isTrue();
  }

  private boolean isGathering() {
    proposer.doWork(this::offer);
    return proposer.isGathering();
  }

  private boolean offer(DirectBuffer buffer, int offset, int length) {
    byte[] message = new byte[length];
    buffer.getBytes(offset, message);
    return offered.add(message);
  }

  private void commitAll() {
    while (!offered.isEmpty()) {
      commit();
    }
  }

  /** Commits the oldest message. */
  private void commit() {
    byte[] message = offered.remove(0);
    engine.applier().apply(new UnsafeBuffer(message), 0, message.length, 1);
  }
}
