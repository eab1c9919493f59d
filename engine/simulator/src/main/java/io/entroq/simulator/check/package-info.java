/**
 * What must hold whatever happens to an engine: {@link io.entroq.simulator.check.Ledger} watches
 * every record and every answer of one engine from outside, keeps its own account of all tasks,
 * docs, parked claims and receipts, and throws {@link io.entroq.simulator.check.Violation} with the
 * name of the {@link io.entroq.simulator.check.Invariant} that was broken.
 *
 * <p>The ledger can go back: when an engine dies and recovers without its last records, the account
 * returns to the same record. It reads only encoded commands, encoded results and listings. One
 * thread.
 */
package io.entroq.simulator.check;
