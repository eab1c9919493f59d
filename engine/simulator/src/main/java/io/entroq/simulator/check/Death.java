package io.entroq.simulator.check;

/** How an engine ends, which decides what must be there when it comes back. */
public enum Death {
  /** Its process ended; what it had written is in the page cache or on the disk. */
  PROCESS,
  /** Power failed; what was forced is on the disk. */
  POWER,
  /** Power failed, and the disk had said of writes that they were forced that were not. */
  POWER_AND_LIES
}
