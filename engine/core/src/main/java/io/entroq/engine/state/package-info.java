/**
 * The state machine: {@code state = fold(apply, log)}. It takes command bytes, log time and a
 * sequence number, changes the state, and gives replies to a {@link
 * io.entroq.engine.state.ResultSink}. It reads no clock, does no I/O, and takes randomness from a
 * generator that is part of the state.
 *
 * <p>Each class here is one part of the contract. {@code Claimer} and {@code TaskTable} choose
 * tasks and decide when a lease has ended; {@code ModifyCheck} and {@code ModifyStep} check and
 * commit a Modify; {@code WaiterScheduler} serves parked claims; {@code ClaimRevoker} returns the
 * claims of callers that have died; {@code RequestDeduplicator} answers retries.
 *
 * <p>Exactly one thread calls it. Only a frozen state is read by another.
 */
package io.entroq.engine.state;
