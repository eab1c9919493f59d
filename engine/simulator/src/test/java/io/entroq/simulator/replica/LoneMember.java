package io.entroq.simulator.replica;

import io.entroq.api.Durability;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.feed.MemberFeedWatch;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.Set;

/** A member whose log is led by a test; no random faults. */
final class LoneMember implements AutoCloseable {
  private final Ledger ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
  private final ReferenceRecords records = new ReferenceRecords(ledger, new Trace());
  private final Member member;

  LoneMember(EventQueue events, OrderedLog log) {
    ClusterContext context =
        new ClusterContext(
            events,
            new Faults(Set.of()),
            log,
            records,
            new MemberFeedWatch(new SeededRandom(2)),
            new CallerRegistry(records.observer()),
            new ClientPositions(),
            ledger,
            LogReader.TRUE,
            () -> false);
    member = new Member(0, context, new SeededRandom(1), new Trace(), down -> {});
    member.start(0);
  }

  Member member() {
    return member;
  }

  ReferenceRecords records() {
    return records;
  }

  @Override
  public void close() {
    member.switchOff();
    records.close();
  }
}
