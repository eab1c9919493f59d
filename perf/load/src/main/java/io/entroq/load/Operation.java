package io.entroq.load;

import java.util.Locale;

public enum Operation {
  /** A Modify that inserts a batch of tasks. */
  INSERT,
  /** A claim of as many tasks. */
  CLAIM,
  /** A Modify that deletes the claimed tasks. */
  DELETE,
  /** All three. */
  CYCLE,
  /** How late a cycle began; only at a given rate. */
  LATE;

  /** The name in results. */
  public String lower() {
    return name().toLowerCase(Locale.ROOT);
  }
}
