/**
 * Restores an engine from its directory: loads the newest good snapshot, scans the log after it,
 * applies every good record, and refuses damage. Also repairs a damaged log when an operator asks
 * for it.
 *
 * <p>Runs on the thread that opens the engine or runs the tool.
 */
package io.entroq.engine.recovery;
