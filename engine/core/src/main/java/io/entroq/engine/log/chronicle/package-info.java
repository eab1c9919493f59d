/**
 * Appends to segments on disk through Chronicle Queue. The only code that uses Chronicle Queue.
 *
 * <p>Chronicle only writes: its index, metadata and locks decide nothing, and each run begins in an
 * empty directory. {@link io.entroq.engine.log.scan.LogScanner} reads the bytes back.
 *
 * <p>Called by the appending thread.
 */
package io.entroq.engine.log.chronicle;
