package io.entroq.codec.command;

/** Writes an Identity as a field of another message. */
final class IdentityFields {
  private IdentityFields() {}

  static void write(
      WireWriter writer, int field, long clientHigh, long clientLow, long number, long ackedBelow) {
    writer.messageField(
        field,
        WireWriter.fixed64FieldSize(clientHigh)
            + WireWriter.fixed64FieldSize(clientLow)
            + WireWriter.varintFieldSize(number)
            + WireWriter.varintFieldSize(ackedBelow));
    writer.fixed64Field(1, clientHigh);
    writer.fixed64Field(2, clientLow);
    writer.varintField(3, number);
    writer.varintField(4, ackedBelow);
  }
}
