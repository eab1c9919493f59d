package io.entroq.examples.outbox;

import io.entroq.api.Insert;

/**
 * A row of the outbox.
 *
 * @param id of the row, never reused
 * @param queue of the task
 * @param task the value of the task
 */
record Row(long id, String queue, String task) {
  /** The task, always with the same id: a second insert collides with the first. */
  Insert toTask() {
    return Insert.into(queue).withId("shop/outbox/" + id).withValue(task);
  }
}
