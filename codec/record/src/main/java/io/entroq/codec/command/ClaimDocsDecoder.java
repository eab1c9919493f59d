package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a ClaimDocs. Everything that it returns is valid until the next wrap. */
public final class ClaimDocsDecoder {
  private static final int IDENTITY_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int FACADE_TAG = 2 << 3 | WireReader.VARINT;
  private static final int CLAIMANT_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int NAMESPACE_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int KEY_TAG = 5 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int LEASE_MS_TAG = 6 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private final BodyCrc bodyCrc = new BodyCrc();
  private final IdentityDecoder identity = new IdentityDecoder();
  private final IdDecoder claimant = new IdDecoder();
  private int length;
  private boolean isV0;
  private int namespaceOffset;
  private int namespaceLength;
  private int keyOffset;
  private int keyLength;
  private long leaseMs;

  /** A decoder of nothing until it is wrapped. */
  public ClaimDocsDecoder() {}

  /**
   * Reads and checks a whole ClaimDocs.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    this.length = length;
    while (reader.hasNext()) {
      readField();
    }
    check();
  }

  private void clear() {
    identity.clear();
    claimant.clear();
    isV0 = false;
    namespaceOffset = 0;
    namespaceLength = 0;
    keyOffset = 0;
    keyLength = 0;
    leaseMs = 0;
  }

  private void readField() {
    int tag = reader.tag("ClaimDocs");
    switch (tag) {
      case IDENTITY_TAG -> identity.read(reader, "ClaimDocs.identity");
      case FACADE_TAG -> isV0 = reader.enumeration("ClaimDocs.facade", 1) == 1;
      case CLAIMANT_TAG -> claimant.read(reader, "ClaimDocs.claimant");
      case NAMESPACE_TAG -> {
        namespaceLength = reader.text("ClaimDocs.namespace", FieldLimits.TEXT_BYTES_MAX);
        namespaceOffset = reader.spanOffset();
      }
      case KEY_TAG -> {
        keyLength = reader.text("ClaimDocs.key", FieldLimits.TEXT_BYTES_MAX);
        keyOffset = reader.spanOffset();
      }
      case LEASE_MS_TAG -> leaseMs = reader.varint("ClaimDocs.lease_ms");
      default -> reader.skip(tag, 6, "ClaimDocs");
    }
  }

  private void check() {
    identity.checkRequest(reader);
    claimant.check(reader, "ClaimDocs.claimant");
    if (namespaceLength == 0) {
      throw reader.malformed("ClaimDocs.namespace", "missing or empty");
    }
    if (leaseMs < 0) {
      throw reader.malformed("ClaimDocs.lease_ms", "negative: " + leaseMs);
    }
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** Whether the next four say anything; if not, they are 0. */
  public boolean hasIdentity() {
    return identity.isPresent();
  }

  /** Upper half of the client. */
  public long clientHigh() {
    return identity.clientHigh();
  }

  /** Lower half of the client. */
  public long clientLow() {
    return identity.clientLow();
  }

  /** Number of the request, from 1. */
  public long requestNumber() {
    return identity.number();
  }

  /** Every reply to a number below this one has arrived. From 1 to the number. */
  public long ackedBelow() {
    return identity.ackedBelow();
  }

  /** CRC32C over the message without its identity. */
  public int bodyCrc() {
    return bodyCrc.compute(reader, length);
  }

  /** Whether it came through the v0 API. */
  public boolean isV0() {
    return isV0;
  }

  /** Upper half of the claimant's key; both halves 0: nobody. */
  public long claimantHigh() {
    return claimant.high();
  }

  /** Lower half of the claimant's key. */
  public long claimantLow() {
    return claimant.low();
  }

  /** Where the claimant's text begins. */
  public int claimantTextOffset() {
    return claimant.textOffset();
  }

  /** Bytes of the claimant's text; 0: the key gives it back. */
  public int claimantTextLength() {
    return claimant.textLength();
  }

  /** Where the name of the namespace begins. */
  public int namespaceOffset() {
    return namespaceOffset;
  }

  /** Bytes of the name of the namespace, 1 to 1,024. */
  public int namespaceLength() {
    return namespaceLength;
  }

  /** Where the key begins. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Bytes of the key, up to 1,024. */
  public int keyLength() {
    return keyLength;
  }

  /** Length of the lease, not negative. */
  public long leaseMs() {
    return leaseMs;
  }
}
