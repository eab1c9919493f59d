/**
 * Listings in slices: a {@link io.entroq.engine.listing.TaskCursor} or {@link
 * io.entroq.engine.listing.QueueCursor} says what is asked and where the listing stands, and a
 * lister goes on from there by a given effort, between commands. Changes nothing.
 *
 * <p>A task keeps its slot for its life, as a queue does, so a walk over the slots shows whatever
 * stays exactly once, wherever commands move it meanwhile among ready, waiting and other queues.
 *
 * <p>A cursor is made on any thread and then belongs to one at a time; listers belong to the thread
 * that owns the state machine.
 */
package io.entroq.engine.listing;
