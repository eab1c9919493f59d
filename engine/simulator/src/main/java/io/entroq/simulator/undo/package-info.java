/**
 * Data structures for the ledger's account. {@link io.entroq.simulator.undo.Cells} can be set back
 * to any earlier point, and with it the heaps and tables that lie in its cells.
 *
 * <p>For {@link io.entroq.simulator.check} only. One thread.
 */
package io.entroq.simulator.undo;
