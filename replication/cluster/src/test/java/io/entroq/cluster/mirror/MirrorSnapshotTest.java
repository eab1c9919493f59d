package io.entroq.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.state.StateMachine;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MirrorSnapshotTest {
  private static final int ROUNDS = 5_000;

  @Test
  void shouldNotBeAbandonedWhenDropped() {
    try (StateMachine machine = Mirrored.newMachine()) {
      MirrorSnapshot snapshot = new MirrorSnapshot(machine.freeze());
      snapshot.drop();
      assertThat(snapshot.isDone()).isTrue();
      assertThat(snapshot.isStateReleased()).isTrue();
      snapshot.abandon();
      assertThat(snapshot.wasAbandoned()).isFalse();
      machine.thaw();
    }
  }

  /** The writer thread fails to write the restart while the applying thread needs the state. */
  @Test
  void shouldReleaseTheStateOnce() throws Exception {
    ExecutorService writing = Executors.newSingleThreadExecutor();
    AtomicReference<MirrorSnapshot> next = new AtomicReference<>();
    try (StateMachine machine = Mirrored.newMachine()) {
      Future<?> dropping = writing.submit(() -> dropEach(next));
      for (int i = 0; i < ROUNDS; i++) {
        MirrorSnapshot snapshot = new MirrorSnapshot(machine.freeze());
        next.set(snapshot);
        snapshot.abandon();
        snapshot.awaitStateReleased();
        machine.thaw();
        while (next.get() != null && !dropping.isDone()) {
          Thread.onSpinWait();
        }
      }
      dropping.get(10, TimeUnit.SECONDS);
    } finally {
      writing.shutdownNow();
    }
  }

  private static void dropEach(AtomicReference<MirrorSnapshot> next) {
    for (int i = 0; i < ROUNDS; i++) {
      MirrorSnapshot snapshot = next.get();
      while (snapshot == null) {
        Thread.onSpinWait();
        snapshot = next.get();
      }
      snapshot.drop();
      next.set(null);
    }
  }
}
