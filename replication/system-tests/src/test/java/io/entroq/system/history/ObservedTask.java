package io.entroq.system.history;

/**
 * A task as a caller received it.
 *
 * @param writer the operation that wrote its value, as the value says
 * @param claims how often it has been claimed
 */
public record ObservedTask(String id, int version, String queue, String writer, int claims) {
  public TaskVersion at() {
    return new TaskVersion(id, version);
  }
}
