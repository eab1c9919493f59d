/**
 * The invariants. {@link io.entroq.simulator.check.Ledger} observes every record and every answer
 * of one engine, keeps its own account of all tasks, docs, waiting claims and receipts, and throws
 * {@link Violation} with the name of the {@link Invariant} that was violated.
 *
 * <p>When an engine dies and recovers without its last records, the account goes back to the same
 * record. It reads only encoded commands, encoded results and listings. One thread.
 */
package io.entroq.simulator.check;
