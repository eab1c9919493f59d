package io.entroq.codec.command;

/** Reads an Identity inside another message. */
final class IdentityDecoder {
  private static final int CLIENT_HIGH_TAG = 1 << 3 | WireReader.FIXED64;
  private static final int CLIENT_LOW_TAG = 2 << 3 | WireReader.FIXED64;
  private static final int NUMBER_TAG = 3 << 3 | WireReader.VARINT;
  private static final int ACKED_BELOW_TAG = 4 << 3 | WireReader.VARINT;

  private boolean isPresent;
  private long clientHigh;
  private long clientLow;
  private long number;
  private long ackedBelow;

  void clear() {
    isPresent = false;
    clientHigh = 0;
    clientLow = 0;
    number = 0;
    ackedBelow = 0;
  }

  void read(WireReader reader, String field) {
    isPresent = true;
    int outer = reader.enter(field);
    while (reader.hasNext()) {
      int tag = reader.tag("Identity");
      switch (tag) {
        case CLIENT_HIGH_TAG -> clientHigh = reader.fixed64("Identity.client_high");
        case CLIENT_LOW_TAG -> clientLow = reader.fixed64("Identity.client_low");
        case NUMBER_TAG -> number = reader.positive("Identity.number");
        case ACKED_BELOW_TAG -> ackedBelow = reader.positive("Identity.acked_below");
        default -> reader.skip(tag, 4, "Identity");
      }
    }
    reader.leave(outer);
  }

  void checkClient(WireReader reader) {
    if ((clientHigh | clientLow) == 0) {
      throw reader.malformed("Identity.client_high", "client missing or zero");
    }
  }

  void checkNumber(WireReader reader) {
    if (number == 0) {
      throw reader.malformed("Identity.number", "missing or zero");
    }
    if (ackedBelow > number) {
      throw reader.malformed("Identity.acked_below", ackedBelow + " is above number " + number);
    }
  }

  void checkAckedBelow(WireReader reader) {
    if (ackedBelow == 0) {
      throw reader.malformed("Identity.acked_below", "missing or zero");
    }
  }

  /** The whole identity of a request, where there is one. */
  void checkRequest(WireReader reader) {
    if (isPresent) {
      checkClient(reader);
      checkNumber(reader);
      checkAckedBelow(reader);
    }
  }

  boolean isPresent() {
    return isPresent;
  }

  long clientHigh() {
    return clientHigh;
  }

  long clientLow() {
    return clientLow;
  }

  long number() {
    return number;
  }

  long ackedBelow() {
    return ackedBelow;
  }
}
