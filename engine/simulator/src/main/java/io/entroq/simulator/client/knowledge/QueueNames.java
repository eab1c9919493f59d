package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.Slice;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * The queues of a world by number: stages that tasks pass through, some with a special purpose, and
 * many that come and go.
 */
public final class QueueNames {
  /** Stages are 0 to below this; a task goes from one to the next. */
  public static final int STAGES = 10;

  /** Where tasks go on which too many have failed. */
  public static final int QUARANTINE = STAGES;

  /** A queue that its producers allow only a few tasks. */
  public static final int NARROW = STAGES + 1;

  /** Queues that are named by claims of workers, and NARROW and QUARANTINE. */
  public static final int LASTING = STAGES + 2;

  /** Queues that come and go. */
  public static final int PASSING = 500;

  private static final int COUNT = LASTING + PASSING;
  private static final int NONE = -1;

  private final byte[][] names = new byte[COUNT][];
  private final Long2LongHashMap byHash = new Long2LongHashMap(NONE);

  public QueueNames() {
    for (int i = 0; i < COUNT; i++) {
      names[i] = name(i).getBytes(StandardCharsets.UTF_8);
      Slice slice = new Slice(names[i]);
      if (byHash.put(hash(slice.buffer(), 0, slice.length()), i) != NONE) {
        throw new IllegalStateException("two queues with one hash: " + name(i));
      }
    }
  }

  private static String name(int queue) {
    return switch (queue) {
      case 1 -> "/ns=orders/inbox";
      case 2 -> "with space";
      case 3 -> "ünïcödé-☃-𝄞";
      case STAGES - 1 -> "q".repeat(1_024);
      case QUARANTINE -> "quarantine";
      case NARROW -> "narrow";
      default -> queue < STAGES ? "stage-" + queue : "visit/" + (queue - LASTING);
    };
  }

  private static long hash(DirectBuffer buffer, int offset, int length) {
    long hash = length;
    for (int i = Math.max(0, length - 12); i < length; i++) {
      hash = hash * 31 + buffer.getByte(offset + i);
    }
    return SeededRandom.mix(hash);
  }

  /** The name of a queue, for an encoder. */
  public void name(int queue, Slice into) {
    into.wrap(names[queue]);
  }

  /** The number of a queue that a reply names. Throws a violation if there is none. */
  public int number(DirectBuffer buffer, int offset, int length) {
    long number = byHash.get(hash(buffer, offset, length));
    if (number != NONE && isNamed((int) number, buffer, offset, length)) {
      return (int) number;
    }
    throw Invariant.ANSWERS_EXACT.broken(
        "queue",
        "a queue that a client has named",
        buffer.getStringWithoutLengthUtf8(offset, length));
  }

  private boolean isNamed(int queue, DirectBuffer buffer, int offset, int length) {
    byte[] name = names[queue];
    byte[] array = buffer.byteArray();
    int from = array == null ? 0 : buffer.wrapAdjustment() + offset;
    if (array == null) {
      array = new byte[length];
      buffer.getBytes(offset, array);
    }
    return Arrays.equals(name, 0, name.length, array, from, from + length);
  }

  /** One of the stages, of which the first ones are the busiest. */
  public static int anyStage(SeededRandom random) {
    return Math.min(random.below(STAGES), random.below(STAGES));
  }

  /** Where a task goes behind a stage; from the last one, to the first. */
  public static int next(int queue) {
    return queue < STAGES ? (queue + 1) % STAGES : 0;
  }
}
