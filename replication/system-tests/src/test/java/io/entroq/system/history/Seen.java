package io.entroq.system.history;

/**
 * A task as a caller was shown it.
 *
 * @param writer the operation that wrote its value, as the value says
 * @param claims how often it has been claimed
 */
public record Seen(String id, int version, String queue, String writer, int claims) {
  /** Which version of which task. */
  public TaskVersion at() {
    return new TaskVersion(id, version);
  }
}
