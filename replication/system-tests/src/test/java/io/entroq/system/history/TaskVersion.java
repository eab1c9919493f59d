package io.entroq.system.history;

/**
 * A version of a task. Ids are used once, so only one write can end it.
 *
 * @param version from 0
 */
public record TaskVersion(String id, int version) {
  @Override
  public String toString() {
    return id + "@" + version;
  }
}
