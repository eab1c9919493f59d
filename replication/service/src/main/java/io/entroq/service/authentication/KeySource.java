package io.entroq.service.authentication;

import java.io.IOException;

/** Where a JSON Web Key Set comes from. */
interface KeySource {
  /** Far more than the keys of any issuer need. */
  int BYTES_MAX = 4 << 20;

  /**
   * Reads the document. May block.
   *
   * @throws IOException if it cannot be had; the message says why
   */
  byte[] read() throws IOException, InterruptedException;

  /** Whether reading is so cheap that it may be repeated at each opportunity. */
  boolean isLocal();

  /** For people. */
  String description();
}
