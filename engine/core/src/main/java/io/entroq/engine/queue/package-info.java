/**
 * Queues: their names, counters, and the two places where a queue keeps its tasks: ready ones,
 * picked oldest first or at random in constant time, and waiting ones, in a heap by arrival time.
 *
 * <p>Called by the state machine only, on the thread that applies commands.
 */
package io.entroq.engine.queue;
