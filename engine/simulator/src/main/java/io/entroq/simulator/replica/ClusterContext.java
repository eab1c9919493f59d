package io.entroq.simulator.replica;

import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.feed.MemberFeedWatch;
import io.entroq.simulator.virtual.EventQueue;
import java.util.function.BooleanSupplier;

/**
 * The shared parts of one cluster.
 *
 * @param isOver whether faults have ended
 */
record ClusterContext(
    EventQueue events,
    Faults faults,
    OrderedLog log,
    ReferenceRecords records,
    MemberFeedWatch feeds,
    CallerRegistry callers,
    ClientPositions positions,
    Ledger ledger,
    LogReader reader,
    BooleanSupplier isOver) {}
