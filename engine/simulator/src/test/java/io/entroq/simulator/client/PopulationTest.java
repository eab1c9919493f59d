package io.entroq.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.client.knowledge.ClientCounters;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PopulationTest {
  private static final long SECONDS = 300;
  private static final EnumSet<FaultKind> NETWORK =
      EnumSet.range(FaultKind.REQUEST_LOST, FaultKind.CLIENT_CUT_OFF);
  private static final EnumSet<FaultKind> CLIENTS =
      EnumSet.range(FaultKind.WORKER_DIES, FaultKind.CLAIM_CANCELLED);

  private static Faults all() {
    EnumSet<FaultKind> on = EnumSet.copyOf(NETWORK);
    on.addAll(CLIENTS);
    return new Faults(on);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void shouldKeepItsRateAndItsBoundsWhateverGoesWrong(long seed) {
    ClientWorld world = new ClientWorld(seed, all());
    world.run(SECONDS);

    ClientCounters counters = world.population().stats();
    assertThat(counters.requests()).isBetween(27_000L, 33_000L);
    assertThat(counters.commits()).isGreaterThan(7_500);
    assertThat(world.tasksMax()).isBetween(200L, 5_000L);
    assertThat(world.parkedMax()).isGreaterThan(10);
    assertThat(counters.resends()).isLessThan(counters.requests() / 20);
  }

  @Test
  void shouldSendEveryKindOfRequestAndHearEveryKindOfAnswer() {
    ClientWorld world = new ClientWorld(3, all());
    world.run(3 * SECONDS);

    ClientCounters counters = world.population().stats();
    for (int type :
        List.of(
            RecordType.CLAIM,
            RecordType.MODIFY,
            RecordType.CLAIM_DOCS,
            RecordType.CANCEL,
            RecordType.ACKNOWLEDGE,
            Request.LIST_DOCS,
            Request.LIST_NAMESPACES)) {
      assertThat(counters.requests(type)).as("type %d", type).isGreaterThan(10);
    }
    assertThat(world.service().machine().docCount()).isBetween(300L, 1_500L);
    for (int code = ResultCodes.OK; code <= ResultCodes.MAX; code++) {
      if (!isOutOfReach(code)) {
        assertThat(counters.answers(code)).as("code %d", code).isGreaterThan(5);
      }
    }
  }

  /** Versions do not run out within years, and clients do not speak of levels or nonsense. */
  private static boolean isOutOfReach(int code) {
    return code == ResultCodes.VERSION_EXHAUSTED
        || code == ResultCodes.LEVEL_REFUSED
        // Clients do not write policies yet.
        || code >= ResultCodes.RESERVED
        || code == ResultCodes.MALFORMED;
  }

  @Test
  void shouldMakeEveryKindOfTroubleThatIsOnAndNoOther() {
    Faults faults = all();
    new ClientWorld(4, faults).run(SECONDS);
    Faults none = new Faults(EnumSet.noneOf(FaultKind.class));
    new ClientWorld(4, none).run(SECONDS / 2);

    EnumSet<FaultKind> expected = EnumSet.copyOf(NETWORK);
    expected.addAll(CLIENTS);
    assertThat(faults.counts().keySet()).isEqualTo(expected);
    assertThat(none.counts()).isEmpty();
  }

  @Test
  void shouldGoTheSameWayForTheSameSeedAndAnotherForAnother() {
    ClientWorld first = new ClientWorld(5, all());
    ClientWorld second = new ClientWorld(5, all());
    ClientWorld other = new ClientWorld(6, all());
    first.run(SECONDS / 3);
    second.run(SECONDS / 3);
    other.run(SECONDS / 3);

    assertThat(second.trace().hex()).isEqualTo(first.trace().hex());
    assertThat(second.trace().steps()).isEqualTo(first.trace().steps());
    assertThat(other.trace().hex()).isNotEqualTo(first.trace().hex());
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8})
  void shouldTakeRestartsAsTheyAre(long seed) {
    ClientWorld world = new ClientWorld(seed, all());
    for (int i = 0; i < 8; i++) {
      world.run(20);
      world.service().reopen();
      world.population().onEngineOpened();
    }

    assertThat(world.population().stats().commits()).isGreaterThan(1_500);
  }

  @Test
  void shouldTakeItThatTheEngineForgetsWhatItMayForget() {
    ClientWorld world = new ClientWorld(9, all());
    for (int i = 0; i < 4; i++) {
      world.run(75);
      world.service().forget();
      world.population().onEngineOpened();
      world.population().onLoss();
    }
    world.run(75);

    assertThat(world.population().stats().commits()).isGreaterThan(2_500);
  }

  @Test
  void shouldComeToRestWhenStopped() {
    ClientWorld world = new ClientWorld(10, all());
    world.run(150);
    world.population().stop();
    long requests = world.population().stats().requests();
    world.run(600);

    assertThat(world.population().isAtRest()).isTrue();
    assertThat(world.service().machine().parkedCount()).isLessThan(5);
    assertThat(world.population().stats().requests() - requests).isLessThan(5_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 20})
  void shouldLiveWithFewClients(int clients) {
    ClientWorld world = new ClientWorld(11, all(), clients);
    world.run(SECONDS);

    assertThat(world.population().stats().commits()).isPositive();
  }
}
