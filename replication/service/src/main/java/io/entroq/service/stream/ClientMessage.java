package io.entroq.service.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of a client. Its requests are still encoded, so that an error in one does not affect
 * the others.
 *
 * @param hello null if there is none
 * @param ackedBelow 0 if not given
 * @param cancels the numbers of requests
 */
record ClientMessage(
    ByteString hello, long ackedBelow, List<ByteString> requests, List<Long> cancels) {
  private static final int HELLO = tag(StreamRequests.HELLO_FIELD_NUMBER, true);
  private static final int ACKED_BELOW = tag(StreamRequests.ACKED_BELOW_FIELD_NUMBER, false);
  private static final int REQUEST = tag(StreamRequests.REQUESTS_FIELD_NUMBER, true);
  private static final int CANCEL = tag(StreamRequests.CANCELS_FIELD_NUMBER, false);
  private static final int CANCELS = tag(StreamRequests.CANCELS_FIELD_NUMBER, true);

  /**
   * Reads a message. Its byte strings share these bytes.
   *
   * @throws RefusedException if it cannot be read
   */
  static ClientMessage read(byte[] message) {
    try {
      return read(UnsafeByteOperations.unsafeWrap(message).newCodedInput());
    } catch (InvalidProtocolBufferException e) {
      throw new RefusedException(Refusal.invalid("the message cannot be read: " + e.getMessage()));
    } catch (IOException e) {
      throw new IllegalStateException("reading an array cannot fail", e);
    }
  }

  private static ClientMessage read(CodedInputStream input) throws IOException {
    input.enableAliasing(true);
    ByteString hello = null;
    long ackedBelow = 0;
    List<ByteString> requests = new ArrayList<>();
    List<Long> cancels = new ArrayList<>();
    int tag = input.readTag();
    while (tag != 0) {
      if (tag == REQUEST) {
        requests.add(input.readBytes());
      } else if (tag == ACKED_BELOW) {
        ackedBelow = input.readUInt64();
      } else if (tag == HELLO) {
        hello = input.readBytes();
      } else if (tag == CANCEL) {
        cancels.add(input.readUInt64());
      } else if (tag == CANCELS) {
        readPacked(input, cancels);
      } else if (!input.skipField(tag)) {
        throw new InvalidProtocolBufferException("a group ends that was not started");
      }
      tag = input.readTag();
    }
    return new ClientMessage(hello, ackedBelow, requests, cancels);
  }

  private static void readPacked(CodedInputStream input, List<Long> numbers) throws IOException {
    int limit = input.pushLimit(input.readRawVarint32());
    while (input.getBytesUntilLimit() > 0) {
      numbers.add(input.readUInt64());
    }
    input.popLimit(limit);
  }

  private static int tag(int field, boolean isDelimited) {
    return field << 3
        | (isDelimited ? WireFormat.WIRETYPE_LENGTH_DELIMITED : WireFormat.WIRETYPE_VARINT);
  }
}
