package io.entroq.client;

import com.google.protobuf.ByteString;

/**
 * Numbers claims that wait, one after the other: in a window one that waits long would hold up
 * everything behind it. With one open number at a time everything below it has been answered. For
 * whoever has taken it from {@link ClaimIdentities}.
 */
final class ClaimIdentity {
  private final ByteString clientId = ClientIds.random();
  private long number;

  ByteString clientId() {
    return clientId;
  }

  /** The number of the present claim; 0 before the first. */
  long number() {
    return number;
  }

  /** Takes the number for the next claim, as the last one has been answered. */
  void next() {
    number++;
  }
}
