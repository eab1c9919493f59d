/**
 * The word count as tasks of a queue: what is planned, the handlers of its steps, and what the
 * queue says about it afterwards.
 *
 * <p>All state of the job is in the queue, under {@link io.entroq.server.demo.job.Queues#PREFIX}:
 *
 * <pre>
 * plan         one Modify after the other: the files listed, a map task for each chunk of them;
 *              with the last the job itself, without which the plan does not count
 * map i        chunk i   -> what words it has: shuffle task i
 * shuffle i    its words -> by partition: a partial count for each
 * coordinate 0 waits until map and shuffle are empty -> a reduce task for each partition
 * reduce p     all partial counts of partition p -> results
 * coordinate 1 waits until reduce is empty -> the job is counted
 * </pre>
 *
 * <p>Each arrow is one Modify that deletes the task together with what it consumed, inserts what it
 * gives rise to, and a {@link io.entroq.server.demo.job.Marker}. So a step may be worked on many
 * times and counts once, and whoever opens the log later goes on where it ends. Handlers are called
 * by workers, on many threads; the rest by the demo's main thread.
 */
package io.entroq.server.demo.job;
