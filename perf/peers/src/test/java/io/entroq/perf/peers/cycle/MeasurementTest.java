package io.entroq.perf.peers.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.perf.peers.FakePeer.FakeSession;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.TaskQueue;
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
  void shouldCommitEveryTaskOnceWhenCallersCompete() throws Exception {
    for (Shape shape : List.of(new Shape("one", 3, 1), new Shape("many", 3, 7))) {
      Measured measured = measure(shape, () -> new FakeSession(tasks, tasks::poll));
      assertThat(measured.account().isExact()).isTrue();
      assertThat(measured.account().inserted()).isPositive();
      assertThat(measured.tasksPerSecond()).isPositive();
      assertThat(measured.p99Us()).isGreaterThanOrEqualTo(measured.p50Us());
    }
  }

  @Test
  void shouldTellOfLossWhenATaskVanishes() throws Exception {
    Measured measured = measure(Shape.SYNC_1, () -> new FakeSession(tasks, this::losing));
    assertThat(measured.account().lost()).isEqualTo(1);
    assertThat(measured.account().doubled()).isZero();
  }

  @Test
  void shouldTellOfDoublesWhenATaskComesTwice() throws Exception {
    Measured measured = measure(Shape.SYNC_1, () -> new FakeSession(tasks, this::doubling));
    assertThat(measured.account().doubled()).isEqualTo(1);
  }

  @Test
  void shouldFailAsTheCallerDidWhenAStepFails() {
    TaskQueue queue =
        () ->
            new FakeSession(tasks, tasks::poll) {
              @Override
              public void commit() {
                throw new IllegalStateException("out of memory");
              }
            };
    assertThatThrownBy(() -> measure(Shape.SYNC_32, queue)).hasMessage("out of memory");
  }

  @Test
  void shouldFailWhenNothingGoesThrough() {
    assertThatThrownBy(() -> measure(Shape.SYNC_1, () -> new FakeSession(tasks, () -> null)))
        .hasMessageContaining("no task went through within 200 ms");
  }

  private Measured measure(Shape shape, TaskQueue queue) throws Exception {
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
