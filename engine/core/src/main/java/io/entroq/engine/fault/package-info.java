/**
 * The places in an engine where a crash would be most telling, and the hook that is called there.
 *
 * <p>A hook runs on the thread that gets there: the one that applies commands, the one that forces,
 * or the one that writes snapshots.
 */
package io.entroq.engine.fault;
