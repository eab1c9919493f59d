/**
 * The demo's input: finds the text files below a directory, divides them into chunks, and counts
 * the words of a chunk.
 *
 * <p>Independent of queues. The planner and the map handlers call it, on any thread; there is no
 * shared state.
 */
package io.entroq.examples.mapreduce.text;
