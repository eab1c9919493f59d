package io.entroq.client;

import com.google.protobuf.ByteString;

/**
 * The client id and request number of one waiting claim at a time. Waiting claims do not share a
 * {@link RequestWindow}, because one that waits long would block all later requests. Not
 * thread-safe.
 */
final class ClaimIdentity {
  private final ByteString clientId = ClientIds.random();
  private long number;

  ByteString clientId() {
    return clientId;
  }

  /** The number of the current claim; 0 before the first. */
  long number() {
    return number;
  }

  /** Moves to the next claim. The previous one has been answered or has ended. */
  void next() {
    number++;
  }
}
