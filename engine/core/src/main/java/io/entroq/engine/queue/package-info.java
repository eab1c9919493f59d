/**
 * Queues: names, counters, and indexes of their tasks. Ready tasks can be picked oldest first or at
 * random in constant time. Tasks that wait for their arrival time or lease end are in a heap.
 *
 * <p>Only the state machine calls this, on the applying thread.
 */
package io.entroq.engine.queue;
