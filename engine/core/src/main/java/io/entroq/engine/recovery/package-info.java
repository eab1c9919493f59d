/**
 * Brings an engine back from what its directory holds: scans the log, feeds every good record to
 * whoever folds them, and refuses what is damaged. Runs on the thread that opens the engine.
 */
package io.entroq.engine.recovery;
