package io.entroq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The engine's side of snapshots, while what the last one lets go takes its time. */
class MaintenancePostponedTest {
  private static final int DUE_BYTES = 64 << 10;

  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final CommandLog log = new VolatileLog(LogConfig.defaults());
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer();
  private final Semaphore wakes = new Semaphore(0);
  private final SlowWork work = new SlowWork();
  private final Maintenance upkeep = start();

  private Maintenance start() {
    MaintenanceConfig config =
        new MaintenanceConfig(DUE_BYTES, Duration.ofDays(1), 0, HistoryPolicy.OFF);
    RetainedSnapshots kept = new RetainedSnapshots(0, 0, 0, 0);
    MaintenanceWorker worker =
        new MaintenanceWorker(
            work,
            config.snapshotInterval(),
            () -> false,
            wakes::release,
            SnapshotStats.NONE,
            System::nanoTime,
            FaultHook.NONE);
    return new Maintenance(
        machine,
        null,
        log,
        config,
        kept,
        worker,
        MaintenanceRunner.THREAD,
        1 << 30,
        () -> false,
        System::nanoTime);
  }

  @AfterEach
  void close() {
    work.mayLetGo.countDown();
    upkeep.close();
    machine.close();
    log.close();
  }

  private static final class SlowWork implements SnapshotTask {
    private final CountDownLatch mayLetGo = new CountDownLatch(1);
    private final AtomicInteger written = new AtomicInteger();

    @Override
    public long write(FrozenState state, BooleanSupplier isAbandoned) {
      written.incrementAndGet();
      return 100;
    }

    @Override
    public long removeObsolete() {
      try {
        mayLetGo.await();
        return 0;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void append(int type, int length) {
    long sequence = machine.sequence() + 1;
    log.append(type, sequence, 1, 0, command, 0, length);
    machine.apply(type, command, 0, length, 0, 1, sequence, ResultSink.DISCARDING);
  }

  private void appendUntilDue() {
    for (long end = log.appendedBytes() + DUE_BYTES; log.appendedBytes() < end; ) {
      append(RecordType.TICK, 0);
    }
  }

  /** As the engine's thread does when it has nothing else to do. */
  private void sleepAndPoll() throws InterruptedException {
    wakes.acquire();
    while (upkeep.hasWork()) {
      upkeep.poll();
    }
  }

  @Test
  void shouldTakeASnapshotThatFellDueMeanwhileThoughNobodyAsksForAnything() throws Exception {
    append(
        RecordType.GENESIS,
        new GenesisEncoder()
            .wrap(command, 0)
            .logIdHigh(1)
            .logIdLow(1)
            .seed(7)
            .level(Levels.MAX)
            .length());
    appendUntilDue();
    upkeep.poll();
    appendUntilDue();
    sleepAndPoll();
    assertThat(work.written).hasValue(1);
    upkeep.poll();
    work.mayLetGo.countDown();
    while (work.written.get() < 2) {
      sleepAndPoll();
    }
  }
}
