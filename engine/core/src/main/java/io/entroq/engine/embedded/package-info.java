/**
 * The engine in one process, with its log in a directory or in memory.
 *
 * <p>{@link io.entroq.engine.embedded.EmbeddedEntroQ} is the API with the engine's own threads: one
 * that owns the state, one that forces the log at durability {@code DISK}, and one that completes
 * futures. {@link io.entroq.engine.embedded.DrivenEngine} is the same engine without threads, for
 * callers that bring their own. {@link io.entroq.engine.embedded.TestEntroQ} is for tests.
 * Applications and servers use these; the other packages of the engine are internal.
 */
package io.entroq.engine.embedded;
