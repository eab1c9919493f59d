/**
 * Queues: names, counters, and the indexes of their tasks. Ready tasks can be picked oldest first
 * or at random in constant time; tasks that wait for their arrival time, or for the end of a lease,
 * are in a heap.
 *
 * <p>Only the state machine calls this, on the applying thread.
 */
package io.entroq.engine.queue;
