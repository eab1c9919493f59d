/**
 * Copies the contents of an EntroQ server into a queue, and compares the two.
 *
 * <p>An {@link io.entroq.tools.importing.ImportUnit} is one queue or namespace, on both sides.
 * {@link io.entroq.tools.importing.Copier} and {@link io.entroq.tools.importing.ImportVerification}
 * process one unit after the other and hold no more than a batch in memory. Listings have no order
 * to resume from, so a copy skips what the target already has; {@link
 * io.entroq.tools.importing.ImportState} skips units that are complete.
 *
 * <p>Called by the command line, on one thread. On interruption everything ends with {@link
 * io.entroq.tools.importing.ImportInterruptedException} between two batches.
 */
package io.entroq.tools.importing;
