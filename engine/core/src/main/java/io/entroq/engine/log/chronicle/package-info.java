/**
 * Appends to segments on disk through Chronicle Queue. No other package uses Chronicle Queue.
 *
 * <p>Chronicle only writes. Its index, metadata and locks have no effect, and each run starts in an
 * empty directory. {@link io.entroq.engine.log.scan.LogScanner} reads the bytes.
 *
 * <p>Called by the appending thread.
 */
package io.entroq.engine.log.chronicle;
