package io.entroq.jdbc;

import java.time.Instant;

/**
 * A row of the outbox that no relay takes any more, because it can never become a task as it is, or
 * as the queue is configured. Immutable.
 *
 * @param id of the row
 * @param created when the application inserted it, by the clock of the database
 * @param queue of the task
 * @param task the id of the task
 * @param problem why it was refused; up to 1,000 characters
 */
public record SetAsideRow(long id, Instant created, String queue, String task, String problem) {}
