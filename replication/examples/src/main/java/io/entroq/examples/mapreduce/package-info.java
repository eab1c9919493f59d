/**
 * A MapReduce that counts words with any number of worker processes, any of which may be killed at
 * any time. {@code entroq demo} runs it with injected faults.
 *
 * <p>All state is in the queue, under {@link io.entroq.examples.mapreduce.Queues#PREFIX}:
 *
 * <pre>
 * plan         several Modifies insert the list of files and a map task for each chunk;
 *              the last one inserts the job, which makes the plan valid
 * map i        chunk i   -> its words: shuffle task i
 * shuffle i    its words -> by partition: a partial count for each
 * coordinate 0 waits until map and shuffle are empty -> a reduce task for each partition
 * reduce p     all partial counts of partition p -> results
 * coordinate 1 waits until reduce is empty -> the job is counted
 * </pre>
 *
 * <p>Each arrow is one Modify. It deletes the task and what the task consumed, and inserts the
 * results and a {@link io.entroq.examples.mapreduce.Marker}. A step may run many times but counts
 * once. No process is special: coordination is a task like any other; its worker renews the lease
 * while it waits.
 *
 * <p>{@link io.entroq.examples.mapreduce.WordCount} plans a count and prints it; {@link
 * io.entroq.examples.mapreduce.CountWorker} does the work. Workers call handlers on many threads;
 * other types are for one thread unless they say otherwise.
 */
package io.entroq.examples.mapreduce;
