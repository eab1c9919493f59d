package io.entroq.simulator.disk;

import java.io.IOException;

/**
 * A disk operation has failed. If it is among the causes of a failure, the disk is a reason for it.
 */
public final class DiskException extends IOException {
  private static final long serialVersionUID = 1L;

  private DiskException(String what) {
    super(what);
  }

  /** A read, write or force that fails. */
  static DiskException failure() {
    return new DiskException("Input/output error");
  }

  /** A write without free space. */
  static DiskException noRoom() {
    return new DiskException("No space left on device");
  }

  /** The same failure in mapped memory. */
  InternalError inMemory() {
    return new InternalError(getMessage(), this);
  }
}
