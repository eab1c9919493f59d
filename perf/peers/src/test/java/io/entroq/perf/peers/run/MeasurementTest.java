package io.entroq.perf.peers.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.FakePeer.FakeSession;
import io.entroq.perf.peers.peer.Shape;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  private static final Timing SHORT =
      new Timing(Duration.ZERO, Duration.ofMillis(200), Duration.ofMillis(100));

  private final ConcurrentLinkedDeque<byte[]> tasks = new ConcurrentLinkedDeque<>();
  private final AtomicInteger claims = new AtomicInteger();

  @Test
  void shouldCommitEveryTaskOnceWhenCallersCompete() {
    for (Shape shape : List.of(new Shape("one", 3, 1), new Shape("many", 3, 7))) {
      Measured measured = measure(shape, caller -> new FakeSession(tasks, tasks::poll));
      assertThat(measured.balance().isRight()).isTrue();
      assertThat(measured.balance().inserted()).isPositive();
      assertThat(measured.tasksPerSecond()).isPositive();
      assertThat(measured.p99Us()).isGreaterThanOrEqualTo(measured.p50Us());
    }
  }

  @Test
  void shouldTellOfLossWhenATaskVanishes() {
    Measured measured = measure(Shape.SYNC_1, caller -> new FakeSession(tasks, this::losing));
    assertThat(measured.balance().lost()).isEqualTo(1);
    assertThat(measured.balance().doubled()).isZero();
  }

  @Test
  void shouldTellOfDoublesWhenATaskComesTwice() {
    Measured measured = measure(Shape.SYNC_1, caller -> new FakeSession(tasks, this::doubling));
    assertThat(measured.balance().doubled()).isEqualTo(1);
  }

  @Test
  void shouldFailAsTheCallerDidWhenAStepFails() {
    LoadTarget queue =
        caller ->
            new FakeSession(tasks, tasks::poll) {
              @Override
              public void commit() {
                throw new IllegalStateException("out of memory");
              }
            };
    assertThatThrownBy(() -> measure(Shape.SYNC_32, queue))
        .hasMessage("A call failed (delete): java.lang.IllegalStateException: out of memory");
  }

  @Test
  void shouldFailWhenNothingGoesThrough() {
    assertThatThrownBy(() -> measure(Shape.SYNC_1, caller -> new FakeSession(tasks, () -> null)))
        .hasMessageContaining("no task went through within 200 ms");
  }

  private Measured measure(Shape shape, LoadTarget queue) {
    return new Measurement(shape, SHORT).run(queue);
  }

  private byte[] losing() {
    if (claims.getAndIncrement() == 10) {
      tasks.poll();
    }
    return tasks.poll();
  }

  private byte[] doubling() {
    byte[] value = tasks.poll();
    if (value != null && claims.getAndIncrement() == 0) {
      tasks.addFirst(value);
    }
    return value;
  }
}
