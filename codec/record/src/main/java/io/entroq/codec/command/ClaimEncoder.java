package io.entroq.codec.command;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a Claim. Set what is not default, in the order of the methods below; another order throws
 * IllegalStateException.
 */
public final class ClaimEncoder {
  private final WireWriter writer = new WireWriter();
  private final Slice queue = new Slice();

  /** An encoder to be wrapped. */
  public ClaimEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ClaimEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets who asks, and which of his requests this is. */
  public ClaimEncoder identity(long clientHigh, long clientLow, long number, long ackedBelow) {
    writer.single(1);
    IdentityFields.write(writer, 1, clientHigh, clientLow, number, ackedBelow);
    return this;
  }

  /** Sets whether it came through the v0 API. */
  public ClaimEncoder isV0(boolean isV0) {
    writer.single(2);
    writer.boolField(2, isV0);
    return this;
  }

  /** Sets who will hold the tasks. */
  public ClaimEncoder claimant(IdFields claimant) {
    writer.single(3);
    if (!claimant.isNobody()) {
      claimant.write(writer, 3);
    }
    return this;
  }

  /** Adds a queue: 1 to 1,024 bytes of UTF-8. */
  public ClaimEncoder queue(DirectBuffer buffer, int offset, int length) {
    return queue(queue.wrap(buffer, offset, length));
  }

  /** Adds a queue: 1 to 1,024 bytes of UTF-8. */
  public ClaimEncoder queue(Slice name) {
    writer.repeated(4);
    writer.repeatedBytesField(4, name);
    return this;
  }

  /** Sets the length of the lease, not negative. */
  public ClaimEncoder leaseMs(long leaseMs) {
    writer.single(5);
    writer.varintField(5, leaseMs);
    return this;
  }

  /** Sets the log time at which a waiting claim ends without a task; 0: never. */
  public ClaimEncoder deadlineMs(long deadlineMs) {
    writer.single(6);
    writer.fixed64Field(6, deadlineMs);
    return this;
  }

  /** Sets how many tasks at most, up to 1,000; 0 means 1. */
  public ClaimEncoder limit(int limit) {
    writer.single(7);
    writer.varintField(7, Integer.toUnsignedLong(limit));
    return this;
  }

  /** Sets whether to wait for a task if there is none. */
  public ClaimEncoder waits(boolean waits) {
    writer.single(8);
    writer.boolField(8, waits);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
