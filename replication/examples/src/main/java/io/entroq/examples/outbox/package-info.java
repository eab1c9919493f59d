/**
 * A transactional outbox: tasks come from a database and their effects go to one, exactly once.
 *
 * <pre>
 * application   one transaction    an order, and its task in the outbox
 * relay         row -> task        inserts the task into the queue, once
 * worker        task -> effect     one transaction: the effect, and a row that says so
 * </pre>
 *
 * <p>Outbox, relay and what is processed are those of {@link io.entroq.jdbc}. {@link
 * io.entroq.examples.outbox.OrderPoints} is the program.
 */
package io.entroq.examples.outbox;
