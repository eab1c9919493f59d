package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.coverage.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * So many sets without docs that the engine forgets some, which takes more than random commands
 * make. The ledger knows which, and checks the answers about them.
 */
class UnusedSetsTest {
  private static final String NAMESPACE = "n";
  private static final Id CLAIMANT = Id.newBuilder().setHigh(1).setLow(2).build();
  private static final long START_MS = 1_700_000_000_000L;
  private static final long HOUR_MS = 3_600_000;
  private static final int SETS_AT_ONCE = 1_000;

  /** Some more than are kept. */
  private static final int ROUNDS = 68;

  private long nowMs = START_MS;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void shouldForgetThoseThatWereWrittenLongestAgoAndThatNobodyHolds(long seed) {
    try (WatchedMachine machine = WatchedMachine.of(seed)) {
      machine.begin(seed, Levels.MAX, START_MS);
      claim(machine, "held", HOUR_MS);
      for (int round = 0; round < ROUNDS; round++) {
        nowMs += 10;
        claim(machine, "round " + round, 5);
      }

      assertThat(machine.ledger().ruleCounts().of(Rule.SET_FORGOTTEN)).isGreaterThan(1_000);
      // The ledger expects version 1 of the first ones and 2 of the others.
      claim(machine, "round 0", 5);
      claim(machine, "round " + (ROUNDS - 1), 5);
      claim(machine, "held", HOUR_MS);
      machine.end();
    }
  }

  /** A set that is written again goes to the end of the line. */
  @Test
  void shouldKeepSetsThatAreWrittenAgain() {
    try (WatchedMachine machine = WatchedMachine.of(1)) {
      machine.begin(1, Levels.MAX, START_MS);
      claim(machine, "first", 5);
      for (int round = 0; round < ROUNDS; round++) {
        nowMs += 10;
        claim(machine, "round " + round, 5);
        lease(machine, "first 0", 1 + round);
      }

      assertThat(machine.ledger().ruleCounts().of(Rule.SET_FORGOTTEN)).isGreaterThan(1_000);
      assertThat(machine.ledger().ruleCounts().of(Rule.SET_LEASE_WITHOUT_DOCS)).isEqualTo(ROUNDS);
      machine.end();
    }
  }

  private void claim(WatchedMachine machine, String prefix, long leaseMs) {
    ClaimDocs.Builder claim = ClaimDocs.newBuilder().setClaimant(CLAIMANT).setLeaseMs(leaseMs);
    for (int i = 0; i < SETS_AT_ONCE; i++) {
      claim.addSets(DocSet.newBuilder().setNamespace(NAMESPACE).setKey(prefix + " " + i));
    }
    machine.execute(claim.build(), nowMs);
  }

  private void lease(WatchedMachine machine, String key, int version) {
    DocData.Builder lease =
        DocData.newBuilder()
            .setNamespace(NAMESPACE)
            .setKey(key)
            .setVersion(version)
            .setByMs(1)
            .setMode(ChangeMode.CHANGE_LEASE);
    machine.execute(Modify.newBuilder().setClaimant(CLAIMANT).addDocChanges(lease).build(), nowMs);
  }
}
