/**
 * Data structures for the ledger's account. {@link io.entroq.simulator.undo.Cells} can go back to
 * any earlier point, and so can the heaps and tables in its cells.
 *
 * <p>For {@link io.entroq.simulator.check} only. One thread.
 */
package io.entroq.simulator.undo;
