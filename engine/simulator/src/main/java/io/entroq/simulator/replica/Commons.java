package io.entroq.simulator.replica;

import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.Agenda;
import java.util.function.BooleanSupplier;

/**
 * What the members of one cluster have in common.
 *
 * @param isOver whether there is no trouble any more
 */
record Commons(
    Agenda agenda,
    Faults faults,
    OrderedLog log,
    Records records,
    Callers callers,
    Positions positions,
    Ledger ledger,
    LogReader reader,
    BooleanSupplier isOver) {}
