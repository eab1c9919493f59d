package io.entroq.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.simulator.virtual.Chance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger follows an engine through everything that is right. */
@Timeout(60)
class LedgerTest {
  @Test
  void shouldFindNothingWrongWhenClientsDoWhatClientsDo() {
    follow(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  @Tag("long")
  void shouldFindNothingWrongWhicheverClientsDoWhatClientsDo(long seed) {
    follow(seed);
  }

  private static void follow(long seed) {
    Bustle bustle = new Bustle(seed);
    Ledger ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
    try (WatchedMachine machine = new WatchedMachine(ledger, bustle, false)) {
      machine.begin(seed, 3, bustle.nowMs());
      for (int i = 1; i <= 100_000; i++) {
        bustle.act(machine);
        if (i % 10_000 == 0) {
          ledger.full(machine.machine(), 0);
        }
      }
      ledger.end();
      assertThat(ledger.sequence()).isGreaterThan(50_000);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void shouldGoBackWithAnEngineThatLosesItsLastRecords(long seed) {
    Bustle bustle = new Bustle(seed);
    Chance chance = new Chance(~seed);
    Ledger ledger = new Ledger(LedgerConfig.of(Durability.DISK, true));
    try (WatchedMachine machine = new WatchedMachine(ledger, bustle, true)) {
      machine.begin(seed, 3, bustle.nowMs());
      long forced = 0;
      for (int life = 0; life < 20; life++) {
        for (int i = 0; i < 600; i++) {
          bustle.act(machine);
          if (chance.oneIn(30)) {
            forced = machine.machine().sequence();
            ledger.onForced(forced);
            ledger.onReplyLeft(forced);
          }
        }
        long end = machine.machine().sequence();
        forced = machine.losePower(chance.between(forced, end), bustle.nowMs());
        bustle.beginAnew();
      }
      ledger.full(machine.machine(), 0);
    }
  }
}
