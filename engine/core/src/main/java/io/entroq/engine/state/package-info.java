/**
 * The state machine: {@code state = fold(apply, log)}. Its inputs are command bytes, log time and
 * sequence; its outputs are the new state and the answers given to a {@link
 * io.entroq.engine.state.ResultSink}. It reads no clock, does no input or output, and draws every
 * choice from a random that is part of the state.
 *
 * <p>One thread at a time, without exception. A class here is one rule of the contract: who may
 * claim, what a Modify checks and does, who is served when a task becomes available, what a retry
 * is told.
 */
package io.entroq.engine.state;
