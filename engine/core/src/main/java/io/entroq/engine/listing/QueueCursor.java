package io.entroq.engine.listing;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.DueCount;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * One listing of queues: what is asked, and where it stands.
 *
 * <p>Every queue that has tasks from the first slice to the last is shown once. A queue that is
 * emptied and filled again in between is another one, with the same name. A queue's numbers are
 * those of one moment, unless very many of its tasks have come due and were not yet claimed since:
 * those are counted while commands go on.
 */
public final class QueueCursor {

  final ListQueuesDecoder query;
  final PrefixSet prefixes;

  /**
   * Places in the query of those exact names that have to be looked up: each once, none that a
   * prefix finds too.
   */
  final int[] names;

  boolean isBegun;

  /** How many of the names have been looked up. */
  int nextName;

  int nextQueue;
  int endQueue;

  /** How many queues may still be shown. */
  int left;

  /** The queue whose due tasks are being counted, and where that stands. */
  int counting = Slab.NONE;

  /** A hash of its name, by which another one in its place is known. */
  long countingName;

  int duePosition;
  long countingNowMs;
  final DueCount due = new DueCount();

  /**
   * A listing that has not begun.
   *
   * @param query and the buffer that it reads must stay as they are until the listing is done
   */
  public QueueCursor(ListQueuesDecoder query) {
    this.query = query;
    this.prefixes = new PrefixSet(query);
    this.names = names(query, prefixes);
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  private static int[] names(ListQueuesDecoder query, PrefixSet prefixes) {
    int[] names = new int[query.exactCount()];
    int count = 0;
    Set<ByteBuffer> seen = new HashSet<>();
    for (int i = 0; i < names.length; i++) {
      byte[] name = new byte[query.exactLength(i)];
      query.buffer().getBytes(query.exactOffset(i), name);
      boolean isFound = prefixes.matches(query.buffer(), query.exactOffset(i), name.length);
      if (!isFound && seen.add(ByteBuffer.wrap(name))) {
        names[count++] = i;
      }
    }
    return Arrays.copyOf(names, count);
  }

  /** Whether queues are looked for among all there are. */
  boolean walks() {
    return query.exactCount() == 0 || !prefixes.isEmpty();
  }

  /** Whether everything has been shown. */
  public boolean isDone() {
    boolean isThrough = nextName == names.length && nextQueue >= endQueue;
    return isBegun && (left == 0 || (isThrough && counting == Slab.NONE));
  }
}
