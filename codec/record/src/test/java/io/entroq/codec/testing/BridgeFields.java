package io.entroq.codec.testing;

import com.google.protobuf.ByteString;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import org.agrona.DirectBuffer;

/** The parts that commands and results have in common. */
final class BridgeFields {
  private BridgeFields() {}

  static ByteString bytes(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return ByteString.copyFrom(bytes);
  }

  static String text(DirectBuffer buffer, int offset, int length) {
    ByteString bytes = bytes(buffer, offset, length);
    if (!bytes.isValidUtf8()) {
      throw new AssertionError("let bad UTF-8 pass");
    }
    return bytes.toStringUtf8();
  }

  static Id id(DirectBuffer buffer, long high, long low, int textOffset, int textLength) {
    return Id.newBuilder()
        .setHigh(high)
        .setLow(low)
        .setText(text(buffer, textOffset, textLength))
        .build();
  }

  static Facade facade(boolean isV0) {
    return isV0 ? Facade.FACADE_V0 : Facade.FACADE_V1;
  }

  static IdFields fill(IdFields fields, Id id) {
    fields.set(id.getHigh(), id.getLow());
    fill(fields.text(), id.getTextBytes());
    return fields;
  }

  static Slice fill(Slice slice, ByteString bytes) {
    return slice.wrap(bytes.toByteArray());
  }
}
