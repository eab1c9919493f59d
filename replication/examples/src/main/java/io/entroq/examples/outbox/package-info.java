/**
 * Tasks that come out of a database, and work that goes into one, each exactly once.
 *
 * <pre>
 * application   one transaction    an order, and a row in the outbox that says what follows from it
 * relay         row -> task        inserts under an id made of the row, and then deletes the row
 * worker        task -> effect     one transaction: the effect, and the id of its task in processed
 * </pre>
 *
 * <p>Database and queue have no transaction in common, so whoever dies between the two does
 * something again: the relay inserts a task a second time, which collides with the first one or, if
 * that is done already, is found in {@code processed}; the worker is given a task whose effect is
 * there already, and finds it there too.
 *
 * <p>Any database with JDBC will do. {@link io.entroq.examples.outbox.Outbox} is the program.
 */
package io.entroq.examples.outbox;
