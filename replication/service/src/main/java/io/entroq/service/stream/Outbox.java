package io.entroq.service.stream;

import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.StreamResponses;
import java.util.ArrayDeque;
import java.util.Deque;

/** Responses that have not been sent, gathered into messages. One thread at a time. */
final class Outbox {
  private static final int BYTES_FIRST = 1 << 10;

  /** A message of this size gets no more responses; one large response may exceed it. */
  private static final int MESSAGE_BYTES = 32 << 10;

  /** No more requests are read while more than this waits. */
  private static final int BACKLOG_BYTES_MAX = 256 << 10;

  /** A response that could be made again, or left out, is dropped if more than this waits. */
  private static final int BYTES_MAX = 8 << 20;

  /** Up to this size, keeping a response costs less than making it again. */
  private static final int SHORT_BYTES = 1 << 10;

  private final Deque<StreamMessage> messages = new ArrayDeque<>();
  private long bytes;

  /** The next message is probably about as long as the last one. */
  private int bytesExpected = BYTES_FIRST;

  /** Adds a message; later responses may join it. */
  void add(StreamResponses whole) {
    StreamMessage message = StreamMessage.of(whole);
    messages.add(message);
    bytes += message.length();
  }

  /**
   * Adds a response, if there is room for it or it cannot be made again.
   *
   * @param field of the response in a {@code StreamResponse}
   */
  boolean add(OpenRequest<?> request, long position, int field, MessageLite response) {
    int size = StreamMessage.sizeOf(request.number(), position, field, response);
    if (size > SHORT_BYTES && !hasRoom(size) && request.isRepeatable()) {
      return false;
    }
    StreamMessage last = messages.peekLast();
    if (last == null || last.length() + size > MESSAGE_BYTES) {
      last = new StreamMessage(bytesExpected);
      messages.add(last);
    }
    int before = last.length();
    last.add(request, position, field, response, size);
    bytes += last.length() - before;
    return true;
  }

  /** Whether there is room for a response; of any size if nothing else waits. */
  boolean hasRoom(long size) {
    return bytes == 0 || bytes + size <= BYTES_MAX;
  }

  /** Removes the oldest message; null if there is none. */
  StreamMessage poll() {
    StreamMessage oldest = messages.poll();
    if (oldest != null) {
      bytes -= oldest.length();
      bytesExpected = Math.max(BYTES_FIRST, Math.min(MESSAGE_BYTES, oldest.length() * 9 / 8));
    }
    return oldest;
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** Whether nothing more should be started. */
  boolean hasBacklog() {
    return bytes > BACKLOG_BYTES_MAX;
  }
}
