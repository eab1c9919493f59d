package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a Claim. Everything that it returns is valid until the next wrap. */
public final class ClaimDecoder {
  private static final int IDENTITY_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int FACADE_TAG = 2 << 3 | WireReader.VARINT;
  private static final int CLAIMANT_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int QUEUES_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int LEASE_MS_TAG = 5 << 3 | WireReader.VARINT;
  private static final int DEADLINE_MS_TAG = 6 << 3 | WireReader.FIXED64;
  private static final int LIMIT_TAG = 7 << 3 | WireReader.VARINT;
  private static final int WAIT_TAG = 8 << 3 | WireReader.VARINT;

  private final WireReader reader;
  private final BodyCrc bodyCrc = new BodyCrc();
  private final IdentityDecoder identity = new IdentityDecoder();
  private final IdDecoder claimant = new IdDecoder();
  private final Spans queues = new Spans();
  private int length;
  private boolean isV0;
  private long leaseMs;
  private long deadlineMs;
  private int limit;
  private boolean waits;

  /** A decoder of nothing until it is wrapped. */
  public ClaimDecoder() {
    this(new WireReader());
  }

  /** Of a claim inside the message that the reader reads. */
  ClaimDecoder(WireReader reader) {
    this.reader = reader;
  }

  /**
   * Reads and checks a whole Claim.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    this.length = length;
    read();
    checkQueuesAndLease();
    identity.checkRequest(reader);
    claimant.check(reader, "Claim.claimant");
    if (waits && !identity.isPresent()) {
      throw reader.malformed("Claim.wait", "a waiting claim without an identity");
    }
  }

  void clear() {
    length = 0;
    identity.clear();
    claimant.clear();
    queues.clear();
    isV0 = false;
    leaseMs = 0;
    deadlineMs = 0;
    limit = 0;
    waits = false;
  }

  /** Reads a then_claim over what was read before, as protobuf merges. */
  void readInner() {
    int outer = reader.enter("Modify.then_claim");
    read();
    reader.leave(outer);
  }

  void checkInner() {
    checkQueuesAndLease();
    boolean hasClaimant = (claimant.high() | claimant.low() | claimant.textLength()) != 0;
    if (identity.isPresent() || hasClaimant || isV0 || deadlineMs != 0 || waits) {
      throw reader.malformed(
          "Modify.then_claim", "says more than queues, lease_ms and limit; it never waits");
    }
  }

  private void read() {
    while (reader.hasNext()) {
      int tag = reader.tag("Claim");
      switch (tag) {
        case IDENTITY_TAG -> identity.read(reader, "Claim.identity");
        case FACADE_TAG -> isV0 = reader.enumeration("Claim.facade", 1) == 1;
        case CLAIMANT_TAG -> claimant.read(reader, "Claim.claimant");
        case QUEUES_TAG -> readQueue();
        case LEASE_MS_TAG -> leaseMs = reader.varint("Claim.lease_ms");
        case DEADLINE_MS_TAG -> deadlineMs = reader.fixed64("Claim.deadline_ms");
        case LIMIT_TAG -> limit = reader.int32("Claim.limit");
        case WAIT_TAG -> waits = reader.bool("Claim.wait");
        default -> reader.skip(tag, 8, "Claim");
      }
    }
  }

  private void readQueue() {
    int size = reader.text("Claim.queues", FieldLimits.TEXT_BYTES_MAX);
    if (size == 0) {
      throw reader.malformed("Claim.queues", "empty name");
    }
    queues.add(reader.spanOffset(), size);
  }

  private void checkQueuesAndLease() {
    if (queues.count() == 0) {
      throw reader.malformed("Claim.queues", "missing");
    }
    if (queues.count() > FieldLimits.CLAIM_QUEUES_MAX) {
      throw reader.malformed(
          "Claim.queues", queues.count() + " of them, the most is " + FieldLimits.CLAIM_QUEUES_MAX);
    }
    if (leaseMs < 0) {
      throw reader.malformed("Claim.lease_ms", "negative: " + leaseMs);
    }
    if (deadlineMs < 0) {
      throw reader.malformed("Claim.deadline_ms", "negative: " + deadlineMs);
    }
    if (limit < 0 || limit > FieldLimits.CLAIM_LIMIT_MAX) {
      throw reader.malformed(
          "Claim.limit",
          Integer.toUnsignedString(limit) + ", the most is " + FieldLimits.CLAIM_LIMIT_MAX);
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

  /** CRC32C over the message without its identity; 0 for a claim inside a Modify. */
  public int bodyCrc() {
    return length == 0 ? 0 : bodyCrc.compute(reader, length);
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

  /** How many queues are asked, repetitions included: 1 to 1,000. */
  public int queueCount() {
    return queues.count();
  }

  /** Where the name of a queue begins. */
  public int queueOffset(int index) {
    return queues.offset(index);
  }

  /** Bytes of the name of a queue, 1 to 1,024. */
  public int queueLength(int index) {
    return queues.length(index);
  }

  /** Length of the lease, not negative. */
  public long leaseMs() {
    return leaseMs;
  }

  /** Log time at which a waiting claim ends without a task; 0: never. */
  public long deadlineMs() {
    return deadlineMs;
  }

  /** How many tasks at most, 1 to 1,000. */
  public int limit() {
    return Math.max(1, limit);
  }

  /** Whether to wait for a task if there is none. */
  public boolean waits() {
    return waits;
  }
}
