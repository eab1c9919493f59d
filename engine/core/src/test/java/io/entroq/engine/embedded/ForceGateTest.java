package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.MemoryLog;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.WakeupSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The gate beside a disk that forces when it is told to. */
class ForceGateTest {
  private static final int SLOTS = 16;

  private final ForceSwitch disk = new ForceSwitch();
  private final MemoryLog log = new MemoryLog(LogConfig.defaults().withForcer(disk), 1);
  private final SlotQueue replies = new SlotQueue(SLOTS, slot -> {});
  private final Completer completer = new Completer(null, replies, null);
  private final WakeupSignal engineBell = new WakeupSignal();
  private ForceGate gate;

  private void start(FaultHook faults) {
    gate =
        new ForceGate(
                log,
                1,
                SLOTS,
                completer,
                new EngineLifecycle(),
                engineBell,
                0,
                new AdaptiveYield(),
                faults)
            .start();
  }

  @AfterEach
  void close() {
    disk.all();
    gate.stop();
    log.close();
  }

  private void append(long sequence) {
    log.append(1, sequence, 1, 0, new UnsafeBuffer(new byte[8]), 0, 8);
  }

  /** The answer to a request that has seen the log up to there. */
  private static RequestSlot slot(long sequenceSeen) {
    RequestSlot slot = new RequestSlot();
    slot.completion = done -> {};
    slot.sequenceSeen = sequenceSeen;
    return slot;
  }

  @Test
  void shouldRingForAnEngineThatWaitsForRoom() {
    start(FaultHook.NONE);
    append(1);
    assertThat(gate.isFull()).isTrue();
    engineBell.arm();
    gate.onBatch();
    disk.one();
    Await.until("the engine is rung", () -> !engineBell.isArmed());
    assertThat(gate.isFull()).isFalse();
  }

  @Test
  void shouldLetNoReplyPassThoseThatWaitToBeReleased() throws Exception {
    CountDownLatch isForced = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    start(
        point -> {
          if (point == FaultPoint.AFTER_FORCE_BEFORE_RELEASE) {
            isForced.countDown();
            await(goOn);
          }
        });
    append(1);
    RequestSlot first = slot(1);
    gate.pass(first);
    gate.onBatch();
    disk.one();
    await(isForced);

    RequestSlot second = slot(1);
    gate.pass(second);
    assertThat(replies.poll()).isNull();
    goOn.countDown();
    List<RequestSlot> released = new ArrayList<>();
    Await.until(
        "both are released",
        () -> {
          Optional.ofNullable(replies.poll()).ifPresent(released::add);
          return released.size() == 2;
        });
    assertThat(released).containsExactly(first, second);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
