package io.entroq.server.damage;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A whole record somewhere in a file: found by searching byte by byte, so that nothing the engine
 * believes about files is taken on trust.
 *
 * @param offset of its header in the file
 * @param length of header and payload, in bytes
 * @param hash of all its bytes
 */
record FoundRecord(
    int offset, int length, long sequence, long forcedSequence, int type, int logTag, int hash) {

  /** All in a file, in the order of their places. */
  static List<FoundRecord> in(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    RecordFrame frame = new RecordFrame();
    List<FoundRecord> found = new ArrayList<>();
    int at = 0;
    while (at + RecordFrame.HEADER_BYTES <= bytes.length) {
      if (buffer.getInt(at, ByteOrder.LITTLE_ENDIAN) == RecordFrame.MAGIC
          && frame.check(buffer, at, bytes.length - at) == RecordFault.NONE) {
        int length = frame.length();
        int hash = Arrays.hashCode(Arrays.copyOfRange(bytes, at, at + length));
        found.add(
            new FoundRecord(
                at,
                length,
                frame.sequence(),
                frame.forcedSequence(),
                frame.type(),
                frame.logTag(),
                hash));
        // Records begin at multiples of four.
        at += length + 3 & -4;
      } else {
        at += Integer.BYTES;
      }
    }
    return found;
  }
}
