package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.GatewayCalls;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads that meet an election. The test is the clock and the log. */
class HeldReadsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final AtomicLong nowNs = new AtomicLong();
  private final ReplicatedEngine engine = DrivenReplica.engine(() -> 1, nowNs::get);

  HeldReadsTest() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    engine.proposer().proposeGenesis();
    propose();
  }

  /** What it proposes is in the log at once. */
  private void propose() {
    engine
        .proposer()
        .doWork(
            (buffer, offset, length) -> {
              engine.applier().apply(buffer, offset, length, 1);
              return true;
            });
  }

  @AfterEach
  void close() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldWaitForTheNextLeader() {
    CompletableFuture<?> read = read();
    work(Contact.ELECTION);
    nowNs.addAndGet(ReplicaReads.HELD_NS_MAX - 1);
    work(Contact.ELECTION);
    assertThat(read).isNotDone();
    work(Contact.LEADER);
    assertThat(read).succeedsWithin(SOON);
  }

  @Test
  void shouldGiveUpAfterFiveSeconds() {
    CompletableFuture<?> first = read();
    work(Contact.ELECTION);
    nowNs.incrementAndGet();
    CompletableFuture<?> second = read();
    work(Contact.ELECTION);
    nowNs.addAndGet(ReplicaReads.HELD_NS_MAX - 1);
    work(Contact.ELECTION);
    assertUnavailable(first);
    assertThat(second).isNotDone();
    nowNs.incrementAndGet();
    work(Contact.ELECTION);
    assertUnavailable(second);
  }

  /** Others have a leader: another member answers. */
  @Test
  void shouldGiveUpAtOnceWhenCutOff() {
    CompletableFuture<?> held = read();
    work(Contact.ELECTION);
    assertThat(held).isNotDone();
    work(Contact.CUT_OFF);
    assertUnavailable(held);
    CompletableFuture<?> next = read();
    work(Contact.CUT_OFF);
    assertUnavailable(next);
  }

  /** Their callers have other requests, which count against the same limit. */
  @Test
  void shouldEndSoonAfterTheirCallersHaveLeft() {
    Gateway gateway = engine.queue().gateway();
    Submission left = gateway.time(new GatewayCalls.Heard());
    propose();
    CompletableFuture<?> stays = read();
    work(Contact.ELECTION);
    left.cancel();
    assertThat(engine.proposals().requestsInFlight()).isEqualTo(2);
    nowNs.addAndGet(ReplicaReads.SEARCH_INTERVAL_NS);
    work(Contact.ELECTION);
    assertThat(engine.proposals().requestsInFlight()).isEqualTo(1);
    assertThat(stays).isNotDone();
    work(Contact.LEADER);
    assertThat(stays).succeedsWithin(SOON);
  }

  @Test
  void shouldEndWithTheMember() {
    CompletableFuture<?> held = read();
    work(Contact.ELECTION);
    engine.close();
    engine.end();
    engine.reply();
    assertThat(held)
        .failsWithin(SOON)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(EntroQException.Closed.class);
  }

  private CompletableFuture<?> read() {
    CompletableFuture<?> read = engine.queue().queuesAsync(QueueQuery.all());
    propose();
    return read;
  }

  private void work(Contact contact) {
    engine.applier().doWork(contact);
    engine.reply();
  }

  private static void assertUnavailable(CompletableFuture<?> read) {
    assertThat(read)
        .failsWithin(SOON)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(EntroQException.Unavailable.class);
  }
}
