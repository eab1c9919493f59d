package io.entroq.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class OrderedLogTest {
  private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private final EventQueue events = new EventQueue();
  private final List<Entry> committed = new ArrayList<>();
  private long clockMs = 1_000;
  private final OrderedLog log =
      new OrderedLog(events, new SeededRandom(1), () -> clockMs, committed::add);

  private void runAll() {
    while (events.step()) {
      // Until no event is left.
    }
  }

  private Entry append(Entry entry) {
    log.append(entry);
    return entry;
  }

  @Test
  void shouldPlaceEntriesAndSayTheTimeOfWhoeverTookThemIn() {
    log.resume();
    append(Entry.timer());
    clockMs = 500;
    append(Entry.timer());
    runAll();
    assertThat(committed).extracting(Entry::index).containsExactly(1L, 2L);
    assertThat(committed).extracting(Entry::timeMs).containsExactly(1_000L, 500L);
  }

  @Test
  void shouldTakeNothingInWithoutLeader() {
    Entry entry = append(Entry.timer());
    runAll();
    assertThat(entry.isLost()).isTrue();
    assertThat(log.last()).isZero();
  }

  @Test
  void shouldLoseEndOfWhatHasNoPlaceWithLeader() {
    log.resume();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      entries.add(append(Entry.timer()));
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
  void shouldTakeProposalsOfOpenSessionsOnly() {
    log.resume();
    Session session = new Session(null, 7);
    Entry early = append(Entry.proposal(session, log.term(), NOTHING));
    append(Entry.open(session));
    Entry open = append(Entry.proposal(session, log.term(), NOTHING));
    append(Entry.close(session));
    Entry late = append(Entry.proposal(session, log.term(), NOTHING));
    Entry twice = append(Entry.open(session));
    runAll();
    assertThat(List.of(early.isLost(), late.isLost(), twice.isLost())).containsOnly(true);
    assertThat(open.index()).isEqualTo(2);
    assertThat(session.isClosed()).isTrue();
  }

  @Test
  void shouldTakeNothingThatIsMeantForAnotherLeader() {
    log.resume();
    Session session = new Session(null, 7);
    append(Entry.open(session));
    runAll();
    long before = log.term();
    log.interrupt();
    log.resume();
    assertThat(append(Entry.proposal(session, before, NOTHING)).isLost()).isTrue();
    assertThat(append(Entry.proposal(session, log.term(), NOTHING)).isLost()).isFalse();
  }

  @Test
  void shouldSayWhichSessionIsTheLastOfItsEngine() {
    log.resume();
    Session first = new Session(null, 7);
    Session second = new Session(null, 7);
    append(Entry.open(first));
    append(Entry.open(second));
    Entry one = append(Entry.close(first));
    Entry other = append(Entry.close(second));
    runAll();
    assertThat(one.isLast()).isFalse();
    assertThat(other.isLast()).isTrue();
    assertThat(log.sessions()).isEmpty();
  }

  @Test
  void shouldKeepWhatIsNeeded() {
    log.resume();
    for (int i = 0; i < 10; i++) {
      append(Entry.timer());
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
    LoneMember lone = new LoneMember(events, log);
    Member member = lone.member();
    log.resume();
    append(Entry.timer());
    while (log.last() == 0) {
      events.step();
    }
    // It was not notified.
    member.requireCurrent(events.nowNs() - 1);
    assertThatThrownBy(() -> member.requireCurrent(events.nowNs()))
        .isInstanceOfSatisfying(
            Violation.class,
            found -> assertThat(found.rule()).isEqualTo(Invariant.REPLICAS_CATCH_UP.label()));
    lone.close();
  }
}
