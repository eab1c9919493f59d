/**
 * Reads the past of a data directory: the state as it was at a point, and what steps did. Nothing
 * is written but the registration of a reader, so an engine may run in the directory. The history
 * reaches back to the oldest snapshot that is kept. Blocks the calling thread; not thread-safe.
 */
package io.entroq.engine.history;
