package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Task;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replica that begins with a state, on a machine whose wall clock is behind its log time. */
class ReplicaFromSnapshotTest {
  private static final long LOG_MS = 2_000_000_000_000L;
  private static final long WALL_MS = LOG_MS - 3_600_000;

  private final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().build(), () -> WALL_MS, Duration.ofMinutes(10));
  private final ArrayDeque<byte[]> offered = new ArrayDeque<>();

  ReplicaFromSnapshotTest() {
    engine.applier().begin(state());
  }

  @AfterEach
  void close() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldTellNoTimeBeforeThatOfTheState() {
    CompletableFuture<Instant> time = engine.queue().timeAsync();
    Await.until("it tells the time", () -> isDone(time));
    assertThat(time.join().toEpochMilli()).isEqualTo(LOG_MS);
  }

  @Test
  void shouldCountWaitsFromTheTimeOfTheState() {
    CompletableFuture<List<Task>> claim =
        engine.queue().claimAsync(Claim.from("inbox").withMaxWait(Duration.ofMinutes(1)));
    engine.proposer().doWork(this::offer);
    apply(LOG_MS + 1);
    assertThat(engine.applier().machine().parkedCount()).isEqualTo(1);
    engine.applier().tick(LOG_MS + 59_999);
    assertThat(engine.applier().machine().parkedCount()).isEqualTo(1);
    engine.applier().tick(LOG_MS + 60_000);
    assertThat(engine.applier().machine().parkedCount()).isZero();
    assertThat(claim).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(List.of());
  }

  private boolean isDone(CompletableFuture<?> asked) {
    engine.proposer().doWork(this::offer);
    engine.applier().doWork(Contact.LEADER);
    return asked.isDone();
  }

  private boolean offer(DirectBuffer buffer, int offset, int length) {
    byte[] message = new byte[length];
    buffer.getBytes(offset, message);
    return offered.add(message);
  }

  private void apply(long timeMs) {
    for (byte[] next = offered.poll(); next != null; next = offered.poll()) {
      engine.applier().apply(new UnsafeBuffer(next), 0, next.length, timeMs);
    }
  }

  private static StateMachine state() {
    ExpandableArrayBuffer genesis = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder()
            .wrap(genesis, 0)
            .logIdHigh(1)
            .logIdLow(2)
            .seed(3)
            .level(Levels.MAX)
            .length();
    int crc = new Crc32c().of(genesis, 0, length);
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    machine.apply(RecordType.GENESIS, genesis, 0, length, crc, LOG_MS, 1, ResultSink.DISCARDING);
    return machine;
  }
}
