/**
 * Reads a log from its segment files. Trusts only checksums, sequences and positions, and never
 * delivers a record out of order. Distinguishes a tail torn by a crash from damage.
 *
 * <p>Recovery and all log tools use {@link io.entroq.engine.log.scan.LogScanner}, on any thread,
 * even while an engine runs.
 */
package io.entroq.engine.log.scan;
