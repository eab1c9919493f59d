package io.entroq.examples.outbox;

import io.entroq.api.Insert;

/**
 * A row of the outbox.
 *
 * @param id of the row, never used again
 * @param queue where the task is to go
 * @param task its value
 */
record Row(long id, String queue, String task) {
  /** The task, always under the same id: a second one collides with the first. */
  Insert toTask() {
    return Insert.into(queue).withId("shop/outbox/" + id).withValue(task);
  }
}
