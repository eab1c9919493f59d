package io.entroq.simulator.replica;

import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import java.util.function.BooleanSupplier;

/**
 * What the members of one cluster share.
 *
 * @param isOver whether there is no trouble any more
 */
record ClusterContext(
    EventQueue events,
    Faults faults,
    OrderedLog log,
    ReferenceRecords records,
    CallerRegistry callers,
    ClientPositions positions,
    Ledger ledger,
    LogReader reader,
    BooleanSupplier isOver) {}
