/**
 * Runs the state machine: reads the clock, checks commands, appends them to the log, applies them.
 *
 * <p>{@link io.entroq.engine.runtime.EngineCore} does this for every kind of engine. It has no
 * threads and knows no callers: its one user at a time calls it, in a single process ({@code
 * embedded}) or on a member of a cluster ({@code replica}). Also here: the memory bound, snapshots
 * and log cleanup between commands, and what the threads of an engine use to wait for each other.
 *
 * <p>Internal to the engine. Only {@code embedded}, {@code request}, {@code local} and {@code
 * replica} call it, on the thread that owns the state unless a method says otherwise.
 */
package io.entroq.engine.runtime;
