package io.entroq.service.stream;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.WireFormat;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of a message to a client, to which responses are added. One thread at a time. */
public final class StreamMessage {
  private byte[] bytes;
  private int length;
  private final List<OpenRequest<?>> answered = new ArrayList<>();

  /**
   * @param bytesExpected its likely length
   */
  StreamMessage(int bytesExpected) {
    bytes = new byte[bytesExpected];
  }

  static StreamMessage of(StreamResponses whole) {
    StreamMessage message = new StreamMessage(0);
    message.bytes = whole.toByteArray();
    message.length = message.bytes.length;
    return message;
  }

  /** Its length in bytes. */
  public int length() {
    return length;
  }

  public void writeTo(OutputStream target) throws IOException {
    target.write(bytes, 0, length);
  }

  /** The requests whose responses it contains. */
  List<OpenRequest<?>> answered() {
    return answered;
  }

  /** The size of a response without its frame, in bytes. */
  static int sizeOf(long number, long position, int field, MessageLite response) {
    return CodedOutputStream.computeUInt64Size(StreamResponse.NUMBER_FIELD_NUMBER, number)
        + (position == 0
            ? 0
            : CodedOutputStream.computeUInt64Size(StreamResponse.POSITION_FIELD_NUMBER, position))
        + CodedOutputStream.computeMessageSize(field, response);
  }

  /**
   * Adds a response: writes a {@link StreamResponse} without building one.
   *
   * @param field its field in a {@link StreamResponse}
   * @param size from {@link #sizeOf}
   */
  void add(OpenRequest<?> request, long position, int field, MessageLite response, int size) {
    int frame =
        CodedOutputStream.computeTagSize(StreamResponses.RESPONSES_FIELD_NUMBER)
            + CodedOutputStream.computeUInt32SizeNoTag(size);
    ensureRoom(frame + size);
    CodedOutputStream output = CodedOutputStream.newInstance(bytes, length, frame + size);
    try {
      output.writeTag(StreamResponses.RESPONSES_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      output.writeUInt32NoTag(size);
      output.writeUInt64(StreamResponse.NUMBER_FIELD_NUMBER, request.number());
      if (position != 0) {
        output.writeUInt64(StreamResponse.POSITION_FIELD_NUMBER, position);
      }
      output.writeMessage(field, response);
      output.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to an array cannot fail", e);
    }
    length += frame + size;
    answered.add(request);
  }

  private void ensureRoom(int more) {
    int needed = Math.addExact(length, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
  }
}
