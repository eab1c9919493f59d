/**
 * A transactional outbox: tasks come from a database and their effects go to one, exactly once.
 *
 * <pre>
 * application   one transaction    an order, and a row in the outbox with its task
 * relay         row -> task        inserts with an id derived from the row, then deletes the row
 * worker        task -> effect     one transaction: the effect, and the id of its task in processed
 * </pre>
 *
 * <p>Database and queue share no transaction, so a crash between the two repeats a step. The relay
 * may insert a task again: it collides with the first one or, if that is already done, its id is in
 * {@code processed}. The worker may receive a task that already had its effect: its id is in {@code
 * processed} too.
 *
 * <p>Any database with a JDBC driver will do. {@link io.entroq.examples.outbox.Outbox} is the
 * program.
 */
package io.entroq.examples.outbox;
