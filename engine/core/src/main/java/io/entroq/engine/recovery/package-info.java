/**
 * Recovers an engine's state from its directory: loads the newest good snapshot, replays the log
 * after it, and refuses damage. Also cuts a damaged log on an operator's request.
 *
 * <p>Runs on the thread that opens the engine or runs the tool.
 */
package io.entroq.engine.recovery;
