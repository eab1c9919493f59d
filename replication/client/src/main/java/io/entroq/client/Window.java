package io.entroq.client;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Queue;
import java.util.function.LongConsumer;

/**
 * Numbers requests that are answered soon, many of which may be open at a time. Any thread.
 *
 * <p>A server knows a client by its first request, and does not take others before that; so the
 * first one goes alone.
 */
final class Window {
  /** As many as a server keeps receipts of. */
  static final int OPEN_MAX = 1_024;

  private final ByteString clientId;

  /** Of the numbers from {@code ackedBelow} on, those that have been answered. */
  private final BitSet answered = new BitSet(OPEN_MAX);

  private final Queue<LongConsumer> waiting = new ArrayDeque<>();
  private long next = 1;
  private long ackedBelow = 1;
  private boolean isGranting;

  Window(ByteString clientId) {
    this.clientId = clientId;
  }

  ByteString clientId() {
    return clientId;
  }

  /** Gives a number to a request, at once or as soon as there is room. */
  void number(LongConsumer request) {
    long number;
    synchronized (this) {
      if (!hasRoom()) {
        waiting.add(request);
        return;
      }
      number = next++;
    }
    request.accept(number);
  }

  private boolean hasRoom() {
    long open = next - ackedBelow;
    return open == 0 || (ackedBelow > 1 && open < OPEN_MAX);
  }

  /** The replies to all numbers below this one have arrived, or nobody waits for them. */
  synchronized long ackedBelow() {
    return ackedBelow;
  }

  /**
   * The reply to a number has arrived, or nobody waits for it. Those who get its room and fail at
   * once come back here; then it is the first of these calls that goes on.
   */
  void answered(long number) {
    synchronized (this) {
      acknowledge(number);
      if (isGranting) {
        return;
      }
      isGranting = true;
    }
    while (true) {
      LongConsumer request;
      long given;
      synchronized (this) {
        if (waiting.isEmpty() || !hasRoom()) {
          isGranting = false;
          return;
        }
        request = waiting.remove();
        given = next++;
      }
      request.accept(given);
    }
  }

  private void acknowledge(long number) {
    if (number < ackedBelow) {
      return;
    }
    answered.set((int) (number % OPEN_MAX));
    while (answered.get((int) (ackedBelow % OPEN_MAX))) {
      answered.clear((int) (ackedBelow % OPEN_MAX));
      ackedBelow++;
    }
  }
}
