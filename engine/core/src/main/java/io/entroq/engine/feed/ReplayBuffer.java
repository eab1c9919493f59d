package io.entroq.engine.feed;

import io.entroq.engine.gateway.FeedEnd;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Carries entries from the thread of a replay to the one that polls, in order. The first waits
 * while there are many bytes. What was taken is read without the monitor: nobody writes there.
 */
final class ReplayBuffer {
  /** What an entry has: the frame of a step. */
  static final int FRAME = 1;

  /** A step, and its log time. */
  static final int MARK = 2;

  /** The same: the state after this step was shown. */
  static final int SNAPSHOT_END = 3;

  /** A reader that takes nothing for so long loses its place. */
  static final long STALL_NS = TimeUnit.SECONDS.toNanos(10);

  /** There are two halves, one to write and one to read. */
  private static final int HALF_BYTES = 1 << 19;

  /** A larger half is not kept. */
  private static final int KEPT_BYTES_MAX = 2 * HALF_BYTES;

  private static final long LOOK_MS = 100;

  // An entry: its length, its kind, its content.
  private static final int KIND = Integer.BYTES;
  private static final int HEADER_BYTES = Long.BYTES;
  private static final int POINT_BYTES = 2 * Long.BYTES;

  private final LongSupplier nanoTime;
  private final UnsafeBuffer point = new UnsafeBuffer(new byte[POINT_BYTES]);

  // All under the monitor, but what is read of the entry that was taken last.

  private ExpandableArrayBuffer filled = new ExpandableArrayBuffer();
  private int filledBytes;
  private ExpandableArrayBuffer taken = new ExpandableArrayBuffer();
  private int takenBytes;

  /** Where in the taken half the next entry begins. */
  private int next;

  private int entry;
  private int entryBytes;

  /** When the reader last took something, or there first was something to take. */
  private long takenNs;

  private Runnable waiting;
  private FeedEnd end;
  private boolean isClosed;

  /**
   * @param nanoTime monotonic time
   */
  ReplayBuffer(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  // The replay.

  /**
   * Puts a frame, when there is room.
   *
   * @return false if nobody takes it
   */
  boolean putFrame(DirectBuffer buffer, int offset, int length) {
    return put(FRAME, buffer, offset, length);
  }

  /** Puts a step, likewise. */
  boolean putPoint(int kind, long sequence, long logTimeMs) {
    point.putLong(0, sequence);
    point.putLong(Long.BYTES, logTimeMs);
    return put(kind, point, 0, POINT_BYTES);
  }

  private boolean put(int kind, DirectBuffer buffer, int offset, int length) {
    Runnable told;
    synchronized (this) {
      int bytes = HEADER_BYTES + length;
      while (filledBytes > 0 && filledBytes + bytes > HALF_BYTES) {
        if (!isTaken()) {
          return false;
        }
        pause(LOOK_MS);
      }
      if (isClosed) {
        return false;
      }
      if (!hasEntries()) {
        takenNs = nanoTime.getAsLong();
      }
      write(filled, kind, buffer, offset, length);
      told = waiting;
      waiting = null;
    }
    tell(told);
    return true;
  }

  private void write(
      MutableDirectBuffer into, int kind, DirectBuffer buffer, int offset, int length) {
    into.putInt(filledBytes, length);
    into.putInt(filledBytes + KIND, kind);
    into.putBytes(filledBytes + HEADER_BYTES, buffer, offset, length);
    filledBytes += HEADER_BYTES + length;
  }

  private boolean hasEntries() {
    return filledBytes > 0 || next < takenBytes;
  }

  /** Whether there is a reader that takes what there is. */
  synchronized boolean isTaken() {
    return !isClosed && !(hasEntries() && nanoTime.getAsLong() - takenNs >= STALL_NS);
  }

  synchronized boolean isClosed() {
    return isClosed;
  }

  synchronized boolean isEmpty() {
    return !hasEntries();
  }

  /** Lets some time pass, or less if something was taken or the reader is closed. */
  @SuppressWarnings("WaitNotInLoop") // Whoever calls it looks again.
  synchronized void pause(long ms) {
    try {
      wait(ms);
    } catch (InterruptedException e) {
      // Nobody does that but to end the thread.
      isClosed = true;
      Thread.currentThread().interrupt();
    }
  }

  /** Nothing follows; the reader learns why when it has taken what there is. */
  void end(FeedEnd why) {
    Runnable told;
    synchronized (this) {
      end = why;
      told = waiting;
      waiting = null;
    }
    tell(told);
  }

  private static void tell(Runnable told) {
    if (told != null) {
      told.run();
    }
  }

  // The reader.

  /** Bytes of the next entry; 0 if there is none yet. */
  synchronized int nextBytes() {
    if (next == takenBytes && filledBytes > 0) {
      swap();
    }
    return isClosed || next == takenBytes ? 0 : taken.getInt(next);
  }

  private void swap() {
    ExpandableArrayBuffer read = taken;
    taken = filled;
    takenBytes = filledBytes;
    next = 0;
    filled = read.capacity() > KEPT_BYTES_MAX ? new ExpandableArrayBuffer() : read;
    filledBytes = 0;
    notifyAll();
  }

  /** Takes the next entry, which stays valid until {@link #nextBytes}; returns what it is. */
  synchronized int take() {
    entry = next + HEADER_BYTES;
    int kind = taken.getInt(next + KIND);
    entryBytes = taken.getInt(next);
    next = entry + entryBytes;
    takenNs = nanoTime.getAsLong();
    return kind;
  }

  /** Has the entry. */
  DirectBuffer buffer() {
    return taken;
  }

  /** Where the entry begins. */
  int offset() {
    return entry;
  }

  int bytes() {
    return entryBytes;
  }

  /** The step of an entry that is no frame. */
  long sequence() {
    return taken.getLong(entry);
  }

  long logTimeMs() {
    return taken.getLong(entry + Long.BYTES);
  }

  /** As {@link io.entroq.engine.gateway.FeedReader#await}. */
  synchronized boolean await(Runnable onAvailable) {
    if (hasEntries() || end != null || isClosed) {
      return false;
    }
    waiting = onAvailable;
    return true;
  }

  /** Why nothing follows, once all was taken. */
  synchronized Optional<FeedEnd> ended() {
    return hasEntries() ? Optional.empty() : Optional.ofNullable(end);
  }

  /** Nobody takes anything any more; any thread. */
  synchronized void close() {
    isClosed = true;
    waiting = null;
    notifyAll();
  }
}
