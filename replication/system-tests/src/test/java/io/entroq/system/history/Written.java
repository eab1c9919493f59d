package io.entroq.system.history;

/**
 * What a Modify writes: an insert or a change.
 *
 * @param version that it makes; 0: it inserts
 * @param queue where the task is then
 */
public record Written(String id, int version, String queue) {
  /** Whether it inserts. */
  public boolean isInsert() {
    return version == 0;
  }
}
