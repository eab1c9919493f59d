package io.entroq.codec.message;

/**
 * Checks of ids, identities and values that the schema's options cannot express. Generated decoders
 * call them with the field's name for errors.
 */
public final class MessageRules {
  private MessageRules() {}

  /** An id that may be nobody, but only without a text. */
  public static void id(IdDecoder id, WireReader reader, String field) {
    if ((id.high() | id.low()) == 0 && id.textLength() != 0) {
      throw reader.malformed(field, "a text without a key");
    }
  }

  /** An id that is not nobody. */
  public static void somebody(IdDecoder id, WireReader reader, String field) {
    if ((id.high() | id.low()) == 0) {
      throw reader.malformed(field, "missing or zero");
    }
  }

  /** An identity that names a client. */
  public static void client(IdentityDecoder identity, WireReader reader, String field) {
    if ((identity.clientHigh() | identity.clientLow()) == 0) {
      throw reader.malformed("Identity.client_high", "client missing or zero");
    }
  }

  /** An identity that names a client and a request. */
  public static void numbered(IdentityDecoder identity, WireReader reader, String field) {
    client(identity, reader, field);
    if (identity.requestNumber() == 0) {
      throw reader.malformed("Identity.number", "missing or zero");
    }
    if (identity.ackedBelow() > identity.requestNumber()) {
      throw reader.malformed(
          "Identity.acked_below",
          identity.ackedBelow() + " is above number " + identity.requestNumber());
    }
  }

  /** An identity that names a client and its acknowledged replies. */
  public static void acknowledged(IdentityDecoder identity, WireReader reader, String field) {
    client(identity, reader, field);
    if (identity.ackedBelow() == 0) {
      throw reader.malformed("Identity.acked_below", "missing or zero");
    }
  }

  /** A complete identity of a request. */
  public static void request(IdentityDecoder identity, WireReader reader, String field) {
    numbered(identity, reader, field);
    acknowledged(identity, reader, field);
  }

  /**
   * A value that is empty if it is absent.
   *
   * @param kind one of {@link ValueKinds}
   */
  public static void value(int kind, int length, WireReader reader, String field) {
    if (kind == ValueKinds.ABSENT && length != 0) {
      throw reader.malformed(field, length + " bytes of an absent value");
    }
  }
}
