package io.entroq.system.history;

/**
 * An insert or a change of a Modify.
 *
 * @param version that it creates; 0: an insert
 * @param queue of the task afterwards
 */
public record TaskWrite(String id, int version, String queue) {
  public boolean isInsert() {
    return version == 0;
  }
}
