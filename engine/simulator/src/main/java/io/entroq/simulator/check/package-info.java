/**
 * What must hold whatever happens to an engine: {@link io.entroq.simulator.check.Ledger} watches
 * every record and every answer of one engine from outside, keeps its own account of all tasks,
 * docs, parked claims and receipts, and throws {@link io.entroq.simulator.check.Violation} with the
 * name of the {@link io.entroq.simulator.check.Invariant} that was broken.
 *
 * <p>It says what the reference model says, a hundred times as fast, and it can go back: when an
 * engine dies and comes back without its last records, so does the account. It uses nothing of the
 * engine but what anybody can read: encoded commands and results, and listings. One thread.
 */
package io.entroq.simulator.check;
