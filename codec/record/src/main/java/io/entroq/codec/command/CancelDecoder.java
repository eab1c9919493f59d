package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a Cancel. */
public final class CancelDecoder {
  private static final int IDENTITY_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;

  private final WireReader reader = new WireReader();
  private final IdentityDecoder identity = new IdentityDecoder();

  /** A decoder of nothing until it is wrapped. */
  public CancelDecoder() {}

  /**
   * Reads and checks a whole Cancel.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    identity.clear();
    while (reader.hasNext()) {
      int tag = reader.tag("Cancel");
      switch (tag) {
        case IDENTITY_TAG -> identity.read(reader, "Cancel.identity");
        default -> reader.skip(tag, 1, "Cancel");
      }
    }
    identity.checkClient(reader);
    identity.checkNumber(reader);
  }

  /** Upper half of the client whose claim it is. */
  public long clientHigh() {
    return identity.clientHigh();
  }

  /** Lower half of the client whose claim it is. */
  public long clientLow() {
    return identity.clientLow();
  }

  /** Number of the claim, from 1. */
  public long requestNumber() {
    return identity.number();
  }
}
