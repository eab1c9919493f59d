/**
 * Words counted by any number of worker processes, of which any may be killed at any time.
 *
 * <pre>
 * map          a piece of text                 -> its counts, in parts by word
 * plan         waits until map is empty        -> a reduce task for each part
 * reduce       all counts of its part          -> their sum
 * plan         waits until reduce is empty     -> the result
 * </pre>
 *
 * <p>Each arrow is one commit, in which the task goes together with what it consumed and what comes
 * of it is inserted; the plan alone stays, and becomes the result. A process that dies has either
 * committed or not; its tasks come back when their leases run out, that of the plan too, so no
 * process is special. All state is in queues that begin with {@code wordcount/} and the name of the
 * count, and none is left when the result is fetched.
 *
 * <p>{@link io.entroq.examples.mapreduce.WordCount} asks for a count and prints it; {@link
 * io.entroq.examples.mapreduce.CountWorker} works.
 */
package io.entroq.examples.mapreduce;
