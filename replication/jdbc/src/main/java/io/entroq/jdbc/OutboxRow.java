package io.entroq.jdbc;

import io.entroq.api.Insert;
import io.entroq.api.TaskId;

/**
 * A row of the outbox.
 *
 * @param key by which it is deleted
 * @param insert its task
 */
record OutboxRow(Key key, Insert insert) {
  /**
   * Identifies a row, also if a database that was restored hands out ids again.
   *
   * @param id of the row
   * @param created when it was inserted, in milliseconds since 1970
   */
  record Key(long id, long created) {}

  TaskId task() {
    return insert.id().orElseThrow();
  }

  /** About as many bytes as it takes in a request. */
  long size() {
    return insert.value().size() + (long) insert.queue().length() + insert.err().length() + 100;
  }
}
