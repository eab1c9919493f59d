package io.entroq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MaintenanceThreadTest {
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);

  @AfterEach
  void close() {
    machine.close();
  }

  private static MaintenanceWorker worker(SnapshotTask work) {
    return new MaintenanceWorker(
        work,
        Duration.ofDays(1),
        () -> false,
        () -> {},
        SnapshotStats.NONE,
        System::nanoTime,
        FaultHook.NONE);
  }

  /** What breaks its word: at first the writing, then what comes after it. */
  private static final class BrokenWork implements SnapshotTask {
    private final AtomicInteger writes = new AtomicInteger();

    @Override
    public long write(FrozenState state, BooleanSupplier isAbandoned) {
      if (writes.incrementAndGet() == 1) {
        throw new IllegalStateException("cannot even be logged");
      }
      return 100;
    }

    @Override
    public long removeObsolete() {
      throw new AssertionError("cannot even be logged");
    }
  }

  @Test
  void shouldGoOnAfterWhatNobodyHasThoughtOf() {
    MaintenanceWorker worker = worker(new BrokenWork());
    try (MaintenanceThread thread = new MaintenanceThread(worker)) {
      thread.start();
      for (int round = 0; round < 3; round++) {
        worker.write(machine.freeze(), 1);
        while (!worker.isIdle()) {
          Thread.onSpinWait();
        }
        assertThat(worker.isWritten()).isTrue();
        machine.thaw();
      }
      assertThat(worker.stats().failed()).isEqualTo(1);
      assertThat(worker.stats().taken()).isEqualTo(2);
    }
  }

  /** Is still writing when it is told to give up. */
  private static final class LongWork implements SnapshotTask {
    private final CountDownLatch begun = new CountDownLatch(1);

    @Override
    public long write(FrozenState state, BooleanSupplier isAbandoned) {
      begun.countDown();
      while (!isAbandoned.getAsBoolean()) {
        Thread.onSpinWait();
      }
      return ABANDONED;
    }

    @Override
    public long removeObsolete() {
      throw new AssertionError("there is no snapshot that makes anything superfluous");
    }
  }

  @Test
  void shouldNotCountAmongTheFailedWhatWasGivenUpAtTheEnd() throws InterruptedException {
    LongWork work = new LongWork();
    MaintenanceWorker worker = worker(work);
    MaintenanceThread thread = new MaintenanceThread(worker).start();
    worker.write(machine.freeze(), 1);
    work.begun.await();
    thread.close();
    assertThat(worker.isWritten()).isTrue();
    machine.thaw();
    assertThat(worker.stats().failed()).isZero();
    assertThat(worker.stats().taken()).isZero();
  }
}
