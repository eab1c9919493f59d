package io.entroq.perf.peers.peer;

import java.util.Locale;

/**
 * What an acknowledgement promises. Figures of different classes say nothing about each other, so
 * no table and no chart holds two.
 */
public enum DurabilityClass {
  /** Nothing is promised. */
  MEMORY("nothing promised"),
  /** Written, and not forced: survives a crash of the process. */
  OS("written, not forced"),
  /** Forced to the disk: survives a loss of power. */
  DISK("forced to the disk");

  private final String promise;

  DurabilityClass(String promise) {
    this.promise = promise;
  }

  /** What an acknowledgement promises, in a few words. */
  public String promise() {
    return promise;
  }

  /** The name as options, tables and names of files have it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
