/**
 * A MapReduce that counts words, by any number of worker processes, of which any may be killed at
 * any time. {@code entroq demo} runs it too, with faults.
 *
 * <p>All state is in the queue, under {@link io.entroq.examples.mapreduce.Queues#PREFIX}:
 *
 * <pre>
 * plan         one Modify after the other: the list of files and a map task for each chunk of them;
 *              the last one inserts the job itself, without which the plan does not count
 * map i        chunk i   -> its words: shuffle task i
 * shuffle i    its words -> by partition: a partial count for each
 * coordinate 0 waits until map and shuffle are empty -> a reduce task for each partition
 * reduce p     all partial counts of partition p -> results
 * coordinate 1 waits until reduce is empty -> the job is counted
 * </pre>
 *
 * <p>Each arrow is one Modify. It deletes the task together with what it consumed, and inserts the
 * results and a {@link io.entroq.examples.mapreduce.Marker}. So a step may run many times and
 * counts once. No process is special: coordination is a task like the others, whose lease is
 * renewed while it waits.
 *
 * <p>{@link io.entroq.examples.mapreduce.WordCount} plans a count and prints it; {@link
 * io.entroq.examples.mapreduce.CountWorker} works. Workers call handlers on many threads; all other
 * types belong to one thread.
 */
package io.entroq.examples.mapreduce;
