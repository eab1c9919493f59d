package io.entroq.codec.message;

import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * CRC32C of what the caller asked for, equal for a request and its retries: the command without the
 * fields in which a retry may differ.
 */
public final class BodyCrc {
  private final long fieldsLeftOut;
  private final CRC32C crc = new CRC32C();
  private final byte[] piece = new byte[1024];

  /**
   * @param fieldsLeftOut bit n is set if field n is left out
   */
  public BodyCrc(long fieldsLeftOut) {
    this.fieldsLeftOut = fieldsLeftOut;
  }

  /** The command is the reader's outermost message, which has been read and checked. */
  public int compute(WireReader reader, int length) {
    crc.reset();
    reader.rewind(length);
    int from = reader.position();
    while (reader.hasNext()) {
      int at = reader.position();
      int tag = reader.tag("command");
      reader.skipValue(tag, "command");
      if (isLeftOut(tag >>> WireReader.WIRE_TYPE_BITS)) {
        update(reader.buffer(), from, at - from);
        from = reader.position();
      }
    }
    update(reader.buffer(), from, reader.position() - from);
    return (int) crc.getValue();
  }

  private boolean isLeftOut(int field) {
    return field < Long.SIZE && (fieldsLeftOut >>> field & 1) != 0;
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
