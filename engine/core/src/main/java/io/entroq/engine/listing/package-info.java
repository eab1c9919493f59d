/**
 * Listings in slices: a cursor, such as {@link io.entroq.engine.listing.TaskCursor}, says what is
 * asked and where the listing stands, and a lister goes on from there by a given effort, between
 * commands. Changes nothing.
 *
 * <p>A task keeps its slot for its life, as a queue does, so a walk over the slots shows whatever
 * stays exactly once, wherever commands move it meanwhile among ready, waiting and other queues.
 * Docs are walked in the order of their keys instead, which a {@link
 * io.entroq.engine.doc.DocPosition} keeps through their changes.
 *
 * <p>A cursor is made on any thread and then belongs to one at a time; listers belong to the thread
 * that owns the state machine.
 */
package io.entroq.engine.listing;
