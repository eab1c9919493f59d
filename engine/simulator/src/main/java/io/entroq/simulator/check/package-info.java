/**
 * The invariants. {@link io.entroq.simulator.check.Ledger} watches every record and every answer of
 * one engine from outside, keeps its own account of all tasks, docs, waiting claims and receipts,
 * and throws {@link Violation} with the name of the {@link Invariant} that was violated.
 *
 * <p>The ledger can go back: when an engine dies and recovers without its last records, the account
 * returns to the same record. It reads only encoded commands, encoded results and listings. One
 * thread.
 */
package io.entroq.simulator.check;
