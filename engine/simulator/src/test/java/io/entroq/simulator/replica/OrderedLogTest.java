package io.entroq.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.codec.record.RecordType;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.model.Violation;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class OrderedLogTest {
  private final Agenda agenda = new Agenda();
  private final List<Entry> committed = new ArrayList<>();
  private long clockMs = 1_000;

  private OrderedLog log(Set<FaultKind> faults) {
    return new OrderedLog(agenda, new Chance(1), new Faults(faults), () -> clockMs, committed::add);
  }

  private static Entry entry(long proposal, boolean isRepeatable) {
    return new Entry(RecordType.TICK, new UnsafeBuffer(new byte[0]), null, proposal, isRepeatable);
  }

  private void runAll() {
    while (agenda.step()) {
      // Until nothing is under way.
    }
  }

  @Test
  void shouldNumberEntriesAndNeverLetTimeGoBack() {
    OrderedLog log = log(Set.of());
    log.resume();
    log.append(entry(1, true));
    clockMs = 500;
    log.append(entry(1, true));
    runAll();
    assertThat(committed).extracting(Entry::sequence).containsExactly(1L, 2L);
    assertThat(committed).extracting(Entry::timeMs).containsExactly(1_000L, 1_000L);
  }

  @Test
  void shouldTakeNothingInWithoutLeader() {
    OrderedLog log = log(Set.of());
    Entry entry = entry(1, true);
    log.propose(entry);
    runAll();
    assertThat(entry.isLost()).isTrue();
    assertThat(log.last()).isZero();
  }

  @Test
  void shouldLoseEndOfWhatHasNoPlaceWithLeader() {
    OrderedLog log = log(Set.of());
    log.resume();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      entries.add(entry(1, true));
      log.append(entries.get(i));
    }
    log.interrupt();
    runAll();
    assertThat(committed).isEmpty();
    log.resume();
    runAll();
    assertThat(committed).isEqualTo(entries.subList(0, committed.size()));
    assertThat(entries.subList(committed.size(), 100)).isNotEmpty().allMatch(Entry::isLost);
  }

  @Test
  void shouldLoseAndDoubleAndReorderOnTheWay() {
    OrderedLog log =
        log(
            EnumSet.of(
                FaultKind.PROPOSAL_LOST, FaultKind.PROPOSAL_DELAYED, FaultKind.PROPOSAL_DOUBLED));
    log.resume();
    for (int i = 0; i < 5_000; i++) {
      log.propose(entry(i, i % 2 == 0));
    }
    runAll();
    int[] times = new int[5_000];
    committed.forEach(each -> times[(int) each.proposal]++);
    assertThat(times).contains(0, 1, 2);
    assertThat(committed).allMatch(each -> each.isRepeatable || times[(int) each.proposal] == 1);
    assertThat(committed.get(committed.size() - 1).proposal).isNotEqualTo(4_999);
  }

  @Test
  void shouldKeepWhatIsNeeded() {
    OrderedLog log = log(Set.of());
    log.resume();
    for (int i = 0; i < 10; i++) {
      log.append(entry(1, true));
    }
    runAll();
    log.forgetBefore(4);
    log.forgetBefore(2);
    assertThat(log.first()).isEqualTo(4);
    assertThat(log.last()).isEqualTo(10);
    assertThat(log.get(4)).isSameAs(committed.get(3));
    assertThat(log.get(10)).isSameAs(committed.get(9));
  }

  @Test
  void shouldFindThatMemberDoesNotGoOn() {
    OrderedLog log = log(Set.of());
    Ledger ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
    Member member =
        new Member(
            0,
            agenda,
            new Chance(1),
            new Faults(Set.of()),
            log,
            LogReader.TRUE,
            ledger,
            new Trace(),
            (down, ended) -> {});
    member.start(0);
    log.resume();
    log.append(entry(1, true));
    agenda.step();
    member.requireCurrent(agenda.nowNs() - 1);
    assertThatThrownBy(() -> member.requireCurrent(agenda.nowNs()))
        .isInstanceOfSatisfying(
            Violation.class,
            found -> assertThat(found.rule()).isEqualTo(Invariant.REPLICAS_CATCH_UP.label()));
    member.switchOff();
  }
}
