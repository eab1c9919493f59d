package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/**
 * Writes a ClaimDocs. Set what is not default, in the order of the methods below; another order
 * throws IllegalStateException.
 */
public final class ClaimDocsEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public ClaimDocsEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ClaimDocsEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets who asks, and which of his requests this is. */
  public ClaimDocsEncoder identity(long clientHigh, long clientLow, long number, long ackedBelow) {
    writer.single(1);
    IdentityFields.write(writer, 1, clientHigh, clientLow, number, ackedBelow);
    return this;
  }

  /** Sets whether it came through the v0 API. */
  public ClaimDocsEncoder isV0(boolean isV0) {
    writer.single(2);
    writer.boolField(2, isV0);
    return this;
  }

  /** Sets who will hold the docs. */
  public ClaimDocsEncoder claimant(IdFields claimant) {
    writer.single(3);
    if (!claimant.isNobody()) {
      claimant.write(writer, 3);
    }
    return this;
  }

  /** Sets the namespace: 1 to 1,024 bytes of UTF-8. */
  public ClaimDocsEncoder namespace(Slice name) {
    writer.single(4);
    writer.bytesField(4, name);
    return this;
  }

  /** Sets the key that the docs have: at most 1,024 bytes of UTF-8. */
  public ClaimDocsEncoder key(Slice key) {
    writer.single(5);
    writer.bytesField(5, key);
    return this;
  }

  /** Sets the length of the lease, not negative. */
  public ClaimDocsEncoder leaseMs(long leaseMs) {
    writer.single(6);
    writer.varintField(6, leaseMs);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
