package io.entroq.perf.peers.peer;

import java.util.Locale;

/** What an acknowledgement promises. No table or chart mixes classes. */
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

  public String promise() {
    return promise;
  }

  /** The name in options, tables and file names. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
