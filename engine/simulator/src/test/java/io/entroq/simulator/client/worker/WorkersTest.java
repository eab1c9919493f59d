package io.entroq.simulator.client.worker;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that run the real decisions, on a real engine over an unreliable network. */
class WorkersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;

  /** A world without a disk. */
  private static final class World {
    final EventQueue events = new EventQueue();
    final Trace trace = new Trace();
    final Faults faults;
    final EngineService service;
    final Workers workers;

    World(long seed, Set<FaultKind> on) {
      SeededRandom random = new SeededRandom(seed);
      service = new EngineService(events, seed);
      faults = new Faults(on);
      Network network =
          new Network(events, random.fork("network"), faults, NetworkConfig.ordinary(), service);
      WorkersConfig config = new WorkersConfig(6, 3, 20, 0, EngineService.START_MS);
      workers =
          new Workers(
              config, events, random.fork("workers"), faults, network::send, trace, () -> 0);
      workers.start();
    }

    void runFor(long ns) {
      long endNs = events.nowNs() + ns;
      while (events.nextNs() <= endNs) {
        events.step();
      }
    }

    /** Runs until no work is left. */
    void drain() {
      workers.stop();
      runFor(40 * MINUTE);
      assertThat(workers.openTasks()).isZero();
      assertThat(service.taskCount()).isZero();
      Audit audit = workers.audit();
      audit.start();
      runFor(MINUTE);
      audit.requireOver();
      assertThat(service.docCount()).as("docs in which work is counted").isPositive();
    }
  }

  @Test
  void shouldBringEveryTaskToItsEnd() {
    World world = new World(1, Set.of());
    world.runFor(20 * MINUTE);

    world.drain();

    assertThat(world.workers.requests()).isGreaterThan(10_000);
  }

  @Test
  void shouldBringEveryTaskToItsEndWhateverGoesWrong() {
    makeTrouble(1, 4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 9, 10})
  @Tag("long")
  void shouldBringEveryTaskToItsEndHoweverMuchGoesWrong(long seed) {
    makeTrouble(seed, 10);
  }

  private static void makeTrouble(long seed, int times) {
    World world = new World(seed, EnumSet.allOf(FaultKind.class));
    for (int i = 0; i < times; i++) {
      world.runFor(5 * MINUTE);
      world.service.refuse(i % 2 == 0 ? Reply.Status.EXHAUSTED : Reply.Status.UNAVAILABLE);
      world.runFor(20 * SECOND);
      world.service.refuse(null);
      world.service.reopen();
      world.workers.onEngineOpened();
    }

    world.drain();

    assertThat(world.faults.counts())
        .containsKeys(FaultKind.WORKER_DIES, FaultKind.WORKER_STALLED, FaultKind.POISON_TASK);
  }

  @Test
  void shouldMissWorkersThatStandStill() {
    World world = new World(3, Set.of());
    world.runFor(MINUTE);
    world.service.silence();
    assertBroken(Invariant.WORKERS_GO_ON, () -> world.runFor(10 * MINUTE));
  }

  @Test
  void shouldSeeAnswersThatNobodyUnderstands() {
    World world = new World(4, Set.of());
    world.service.answer(Result.newBuilder().setCode(ResultCode.RESULT_MALFORMED).build());
    assertBroken(Invariant.REQUESTS_ARE_UNDERSTOOD, () -> world.runFor(MINUTE));
  }

  @Test
  void shouldSeeWhoIsStillThereInTheEnd() {
    World world = new World(5, Set.of());
    assertBroken(Invariant.ALL_ANSWERED, world.workers::requireAtRest);
  }

  @Test
  void shouldMissTheServiceOfTheLastTask() {
    World world = new World(6, Set.of());
    FinalTask last = world.workers.lastTask();
    last.start();
    assertBroken(Invariant.STILL_SERVES, last::requireOver);
    world.runFor(MINUTE);
    last.requireOver();
  }

  @Test
  void shouldGoTheSameWayTwice() {
    String first = traceOf(7);

    assertThat(traceOf(7)).isEqualTo(first);
    assertThat(traceOf(8)).isNotEqualTo(first);
  }

  private static String traceOf(long seed) {
    World world = new World(seed, EnumSet.allOf(FaultKind.class));
    world.runFor(10 * MINUTE);
    return world.trace.hex();
  }
}
