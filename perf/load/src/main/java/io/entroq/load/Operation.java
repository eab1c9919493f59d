package io.entroq.load;

import java.util.Locale;

/** What is timed. */
public enum Operation {
  /** One Modify that inserts a batch of tasks. */
  INSERT,
  /** One claim of as many tasks. */
  CLAIM,
  /** One Modify that deletes what was claimed. */
  DELETE,
  /** All three, one after the other. */
  CYCLE,
  /** How long after it was due a cycle began; only at a given rate. */
  LATE;

  /** In lower case, as results name it. */
  public String lower() {
    return name().toLowerCase(Locale.ROOT);
  }
}
