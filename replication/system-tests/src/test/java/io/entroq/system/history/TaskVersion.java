package io.entroq.system.history;

/**
 * One version of one task. Ids are used once, so nothing but one write can end it.
 *
 * @param version from 0
 */
public record TaskVersion(String id, int version) {
  @Override
  public String toString() {
    return id + "@" + version;
  }
}
