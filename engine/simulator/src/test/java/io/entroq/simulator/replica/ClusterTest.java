package io.entroq.simulator.replica;

import static io.entroq.simulator.fault.FaultKind.ENGINE_DIES_AT_DISK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.disk.DiskImage;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterTest {
  private static final int LIAR = 2;
  private static final long FROM = 500;

  /** A false entry for a member, after another member has applied the true one. */
  private interface Lie {
    Entry of(OrderedLog log, long index);
  }

  /** Lies once, about a proposal after another proposal. */
  private static LogReader liar(Lie lie) {
    boolean[] hasLied = {false};
    return (log, member, entry) -> {
      boolean isTrue = member != LIAR || entry.index() < FROM || hasLied[0] || !entry.isKnown();
      if (isTrue || !isProposal(entry) || !isProposal(log.get(entry.index() - 1))) {
        return entry;
      }
      hasLied[0] = true;
      return lie.of(log, entry.index());
    };
  }

  private static boolean isProposal(Entry entry) {
    return entry.kind == Entry.Kind.PROPOSAL;
  }

  private static void assertFound(Lie lie) {
    try (ClusterWorld world = new ClusterWorld(1, liar(lie))) {
      assertThatThrownBy(() -> world.run(120))
          .isInstanceOfSatisfying(
              Violation.class,
              found -> assertThat(found.rule()).isEqualTo(Invariant.REPLICAS_AGREE.label()))
          .hasMessageContaining("member " + LIAR);
    }
  }

  @Test
  void shouldFindThatMemberExecutesEntryTwice() {
    assertFound((log, index) -> log.get(index - 1));
  }

  @Test
  void shouldFindThatMemberLeavesOutEntry() {
    assertFound((log, index) -> Entry.timer());
  }

  @Test
  void shouldFindThatMemberExecutesEntryOutOfOrder() {
    assertFound((log, index) -> log.get(index < log.last() ? index + 1 : index - 2));
  }

  @Test
  void shouldBeginAgainFromSnapshotOfOtherMember() {
    try (ClusterWorld world = new ClusterWorld(2, LogReader.TRUE)) {
      world.run(600);
      Member member = world.cluster().member(1);
      assertThat(member.disk().oldest()).isPositive();
      member.die();
      member.disk().replace();
      world.run(100);
      assertThat(member.isUp()).isTrue();
      assertThat(member.disk().newest()).isPositive();
      world.run(100);
      assertThat(member.life().index()).isGreaterThan(world.cluster().entries() - 100);
    }
  }

  @Test
  void shouldFindThatNewestSnapshotIsGoneWhereAnotherOneIsDamaged() {
    try (ClusterWorld world = new ClusterWorld(4, LogReader.TRUE)) {
      world.run(300);
      Member member = world.cluster().member(0);
      DiskImage before = member.disk().disk().image();
      long newest = member.disk().newest();
      world.run(300);
      assertThat(member.disk().newest()).isGreaterThan(newest);
      member.die();
      member.disk().disk().restore(before);
      member.disk().markDamaged(member.disk().disk().flipBit(file -> true, new SeededRandom(1)));

      assertThatThrownBy(() -> member.start(0))
          .isInstanceOfSatisfying(
              Violation.class,
              found -> assertThat(found.rule()).isEqualTo(Invariant.OPEN_FINDS_END.label()));
    }
  }

  @Test
  void shouldCountDeathAtDiskWhereItHappens() {
    try (ClusterWorld world = new ClusterWorld(6, LogReader.TRUE)) {
      world.run(5);
      Member member = world.cluster().member(1);
      member.disk().dieIn(1, false);
      assertThat(world.faults().counts()).isEmpty();
      world.run(300);
      assertThat(world.faults().counts()).containsExactly(Map.entry(ENGINE_DIES_AT_DISK, 1L));
    }
  }

  @Test
  void shouldPutOffEverythingWhileMembersRest() {
    try (ClusterWorld world = new ClusterWorld(5, LogReader.TRUE)) {
      world.run(60);
      for (int i = 0; i < world.cluster().size(); i++) {
        world.cluster().member(i).life().pause(20_000_000_000L);
      }
      world.run(1);
      long entries = world.cluster().entries();
      world.run(18);
      // A tick may have been due.
      assertThat(world.cluster().entries()).isBetween(entries, entries + 1);
      world.run(10);
      assertThat(world.cluster().entries()).isGreaterThan(entries + 50);
    }
  }

  @Test
  void shouldGoOnOnlyWithMostMembers() {
    try (ClusterWorld world = new ClusterWorld(3, LogReader.TRUE)) {
      world.run(5);
      world.cluster().member(0).die();
      world.cluster().member(1).die();
      long entries = world.cluster().entries();
      world.run(0);
      assertThat(world.cluster().entries()).isEqualTo(entries);
      world.run(100);
      assertThat(world.cluster().entries()).isGreaterThan(entries);
      world.cluster().count();
    }
  }
}
