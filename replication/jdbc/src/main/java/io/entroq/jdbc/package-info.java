/**
 * An outbox: tasks that a transaction of a database inserts, and effects of tasks in a database,
 * each exactly once.
 *
 * <pre>
 * application   one transaction    its own rows, and a row of the {@link io.entroq.jdbc.Outbox} for each task
 * relay         rows -> tasks      one Modify: the tasks, and a doc that lists the rows of this batch
 * worker        task -> effects    one transaction: the effects, and a row of {@link io.entroq.jdbc.Processed}
 * </pre>
 *
 * <p>{@code BatchRelay} says why a relay inserts no task twice, whatever dies or stalls. Uses the
 * public API only. Outbox and Processed are immutable and for any thread; each {@link
 * io.entroq.jdbc.Relay} has a thread of its own.
 */
package io.entroq.jdbc;
