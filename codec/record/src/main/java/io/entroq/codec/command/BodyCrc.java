package io.entroq.codec.command;

import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * CRC32C over what the caller has asked for, equal for a request and its retries: the command
 * without its identity, and without what was not said by the caller.
 */
final class BodyCrc {
  private static final int IDENTITY_FIELD = 1;

  private final int fieldOfOthers;
  private final CRC32C crc = new CRC32C();
  private final byte[] piece = new byte[1024];

  /** For commands of which the identity is all that may differ. */
  BodyCrc() {
    this(IDENTITY_FIELD);
  }

  /**
   * @param fieldOfOthers a field that is set by whoever takes the command in
   */
  BodyCrc(int fieldOfOthers) {
    this.fieldOfOthers = fieldOfOthers;
  }

  /** The command is the reader's outermost message, read and checked before. */
  int compute(WireReader reader, int length) {
    crc.reset();
    reader.rewind(length);
    int from = reader.position();
    while (reader.hasNext()) {
      int at = reader.position();
      int tag = reader.tag("command");
      reader.skipValue(tag, "command");
      if (tag >>> 3 == IDENTITY_FIELD || tag >>> 3 == fieldOfOthers) {
        update(reader.buffer(), from, at - from);
        from = reader.position();
      }
    }
    update(reader.buffer(), from, reader.position() - from);
    return (int) crc.getValue();
  }

  private void update(UnsafeBuffer buffer, int offset, int length) {
    byte[] array = buffer.byteArray();
    if (array != null) {
      crc.update(array, buffer.wrapAdjustment() + offset, length);
      return;
    }
    // Memory without an array may have no ByteBuffer either; copying suits both.
    for (int done = 0; done < length; done += piece.length) {
      int size = Math.min(piece.length, length - done);
      buffer.getBytes(offset + done, piece, 0, size);
      crc.update(piece, 0, size);
    }
  }
}
