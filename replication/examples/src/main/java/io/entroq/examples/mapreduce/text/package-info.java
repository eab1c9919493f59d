/**
 * The demo's input: which files below a directory are text, how they are cut into chunks, and which
 * words are in one.
 *
 * <p>Knows nothing of queues. Called by the planner and by the map handlers, on any thread; nothing
 * here keeps state of its own.
 */
package io.entroq.examples.mapreduce.text;
