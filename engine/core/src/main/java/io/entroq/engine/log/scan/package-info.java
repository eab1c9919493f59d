/**
 * Reads a log back from its segment files. Trusts only checksums, sequence numbers and positions;
 * never returns a record that is not the next one. Tells a tail torn by a crash from damage.
 *
 * <p>Recovery and all tools that read a log use {@link io.entroq.engine.log.scan.LogScanner}, on
 * any thread, also beside a running engine.
 */
package io.entroq.engine.log.scan;
