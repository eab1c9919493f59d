package io.entroq.service.http;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.RefusedException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The body of a request as it arrives. Event loop. */
final class RequestBody {
  private static final byte[] EMPTY = new byte[0];
  private static final int BYTES_FIRST = 1 << 10;

  private final int bytesMax;
  private final Budget budget;
  private final Origin origin;
  private byte[] bytes = EMPTY;
  private int length;

  /**
   * @param origin takes its share of the budget
   */
  RequestBody(int bytesMax, Budget budget, Origin origin) {
    this.bytesMax = bytesMax;
    this.budget = budget;
    this.origin = origin;
  }

  /**
   * @throws RefusedException if that is too long
   */
  void checkLength(long expected) {
    if (expected > bytesMax) {
      throw new RefusedException(
          Limit.MESSAGE_BYTES.refusal("the request has more than %d bytes".formatted(bytesMax)));
    }
  }

  /**
   * @throws RefusedException if there is no memory for the piece
   */
  void add(ByteBuf piece) {
    int more = piece.readableBytes();
    checkLength((long) length + more);
    if (length + more > bytes.length) {
      grow(length + more);
    }
    piece.readBytes(bytes, length, more);
    length += more;
  }

  private void grow(int needed) {
    int size = (int) Math.min(bytesMax, Math.max(BYTES_FIRST, Math.max(needed, 2L * bytes.length)));
    if (!budget.tryTake(origin, size - bytes.length, bytes.length)) {
      throw new RefusedException(HttpConnection.NO_ROOM);
    }
    bytes = Arrays.copyOf(bytes, size);
  }

  /** Returns the whole body and clears this one. */
  byte[] take() {
    byte[] whole = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    clear();
    return whole;
  }

  void clear() {
    budget.give(origin, bytes.length);
    bytes = EMPTY;
    length = 0;
  }
}
