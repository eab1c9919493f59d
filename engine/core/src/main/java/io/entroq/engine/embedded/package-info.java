/**
 * The engine in one process: the runtime around the state machine and the log.
 *
 * <p>{@link io.entroq.engine.embedded.EngineCore} is its heart and has no threads: it reads the
 * clock, writes the log and folds commands. {@link io.entroq.engine.embedded.DrivenEngine} gives it
 * to a caller that brings its own thread; {@link io.entroq.engine.embedded.EmbeddedEntroQ} puts it
 * on a thread of its own behind the API, takes requests from any thread, and lets replies go once
 * they are as durable as the level asks. Embedding applications and the server call this.
 *
 * <p>Where commands are put in order together with those of replicas, {@link
 * io.entroq.engine.embedded.ReplicatedEngine} has the same callers' side: its {@link
 * io.entroq.engine.embedded.Proposer} passes commands on to whoever orders them, and its {@link
 * io.entroq.engine.embedded.Applier} folds what comes out. Neither knows how that is done.
 */
package io.entroq.engine.embedded;
