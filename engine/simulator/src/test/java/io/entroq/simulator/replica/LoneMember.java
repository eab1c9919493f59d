package io.entroq.simulator.replica;

import io.entroq.api.Durability;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.util.Set;

/** A member whose log a test leads and tells it of; nothing goes wrong by itself. */
final class LoneMember implements AutoCloseable {
  private final Ledger ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
  private final Records records = new Records(ledger, new Trace());
  private final Member member;

  LoneMember(Agenda agenda, OrderedLog log) {
    Commons commons =
        new Commons(
            agenda,
            new Faults(Set.of()),
            log,
            records,
            new Callers(records.witness()),
            new Positions(),
            ledger,
            LogReader.TRUE,
            () -> false);
    member = new Member(0, commons, new Chance(1), new Trace(), down -> {});
    member.start(0);
  }

  Member member() {
    return member;
  }

  Records records() {
    return records;
  }

  @Override
  public void close() {
    member.switchOff();
    records.close();
  }
}
