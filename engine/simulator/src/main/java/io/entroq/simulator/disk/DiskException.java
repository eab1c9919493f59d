package io.entroq.simulator.disk;

import java.io.IOException;

/**
 * The disk fails an operation. Found among the causes of a failure, it shows that the disk was one
 * of them.
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

  /** A write that finds no room. */
  static DiskException noRoom() {
    return new DiskException("No space left on device");
  }

  /** The same as it shows where memory is mapped. */
  InternalError inMemory() {
    return new InternalError(getMessage(), this);
  }
}
