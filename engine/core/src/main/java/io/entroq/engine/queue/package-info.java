/**
 * Queues: names, counters, and indexes of their tasks. Ready tasks can be picked oldest first or at
 * random in constant time. Tasks that wait for their arrival time or lease end are in a heap.
 * {@link io.entroq.engine.queue.ReadyRanks} knows how many ready tasks are before one, in the
 * queues that somebody asks about.
 *
 * <p>Only the state machine calls this, on the applying thread.
 */
package io.entroq.engine.queue;
