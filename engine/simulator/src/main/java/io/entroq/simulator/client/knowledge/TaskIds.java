package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.CopyIds;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes ids of tasks and docs. The lowest bits of an id tell every reader what to expect of it. */
public final class TaskIds {
  private static final long HAS_TEXT = 1;
  private static final long IS_LOOSE = 2;
  private static final long IS_REUSED = 4;
  private static final long MARKS = 7;
  private static final int REUSED_IDS = 64;
  private static final int TEXT_ONE_IN = 20;
  private static final int TEXT_BYTES = 18;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** The hashes of the groups of topics. */
  private static final long[] GROUPS =
      QueueNames.GROUPS.stream().mapToLong(TaskIds::hash).toArray();

  private final SeededRandom random;
  private final long seed;
  private long made;

  public TaskIds(SeededRandom random) {
    this.random = random;
    this.seed = random.next();
  }

  /**
   * Gives a task a new id.
   *
   * @param isLoose whether it is inserted without identity, so that a duplicated request may insert
   *     it again after it was deleted
   * @param mayHaveText whether it may have a text that its key does not determine
   */
  public void fresh(KnownTask task, boolean isLoose, boolean mayHaveText) {
    made++;
    boolean hasText = random.oneIn(TEXT_ONE_IN) && mayHaveText;
    long marks = (isLoose ? IS_LOOSE : 0) | (hasText ? HAS_TEXT : 0);
    task.idHigh = (SeededRandom.mix(seed + made) & ~MARKS) | marks;
    task.idLow = SeededRandom.mix(seed ^ made);
    task.generation = 0;
  }

  /** Gives a task a new id without a text that is loose, as are those of all its copies. */
  public void freshForCopies(KnownTask task) {
    boolean isFound = false;
    while (!isFound) {
      fresh(task, true, false);
      isFound = true;
      for (long group : GROUPS) {
        isFound &= (CopyIds.high(task.idHigh, group) & MARKS) == IS_LOOSE;
      }
    }
  }

  /** Makes a new id one with a text. */
  public static void giveText(KnownTask task) {
    task.idHigh |= HAS_TEXT;
  }

  private static long hash(String group) {
    byte[] name = group.getBytes(StandardCharsets.UTF_8);
    return CopyIds.hash(new UnsafeBuffer(name), 0, name.length);
  }

  /**
   * Counts the tasks of an answer, from one on, that an insert has made: the task itself, or copies
   * for some of the groups, in order.
   */
  public static int countInserted(ResultDecoder result, int from, KnownTask task) {
    if (isAt(result, from, task.idHigh, task.idLow)) {
      return 1;
    }
    int count = 0;
    for (long group : GROUPS) {
      long high = CopyIds.high(task.idHigh, group);
      long low = CopyIds.low(task.idHigh, task.idLow, group);
      count += isAt(result, from + count, high, low) ? 1 : 0;
    }
    return count;
  }

  private static boolean isAt(ResultDecoder result, int index, long high, long low) {
    if (index >= result.insertedCount()) {
      return false;
    }
    TaskDecoder task = result.inserted(index);
    return task.idHigh() == high && task.idLow() == low;
  }

  /** Gives a task one of a few ids that are used repeatedly. */
  public void reused(KnownTask task) {
    made++;
    int which = random.below(REUSED_IDS);
    task.idHigh = (SeededRandom.mix(seed - which) & ~MARKS) | IS_REUSED;
    task.idLow = SeededRandom.mix(seed - which + 1);
    task.generation = made;
  }

  /** Gives a task a new id that will be reused. */
  public void freshForTwins(KnownTask task) {
    made++;
    task.idHigh = (SeededRandom.mix(seed + made) & ~MARKS) | IS_REUSED;
    task.idLow = SeededRandom.mix(seed ^ made);
    task.generation = made;
  }

  /** Gives a task the id of a deleted one. */
  public void again(KnownTask task, KnownTask gone) {
    made++;
    task.idHigh = gone.idHigh;
    task.idLow = gone.idLow;
    task.generation = made;
  }

  /** Gives a doc an id without a text. */
  public static void withoutText(KnownDoc doc, long high, long low) {
    doc.idHigh = high & ~MARKS;
    doc.idLow = low;
  }

  /** Gives a doc an id without a text that may be reused. */
  public static void reused(KnownDoc doc, long high, long low) {
    doc.idHigh = (high & ~MARKS) | IS_REUSED;
    doc.idLow = low;
  }

  /** Gives a doc an id with a text that its key does not determine. */
  public static void withText(KnownDoc doc, long high, long low) {
    doc.idHigh = (high & ~MARKS) | HAS_TEXT;
    doc.idLow = low;
  }

  /** Whether a duplicated request may have inserted the id twice. */
  public static boolean isLoose(long idHigh) {
    return (idHigh & IS_LOOSE) != 0;
  }

  /** Whether the id may be reused after its task or doc is gone. */
  public static boolean isReused(long idHigh) {
    return (idHigh & IS_REUSED) != 0;
  }

  /** Sets an id for an encoder, with its text if it has one. */
  public static void set(IdFields id, long high, long low) {
    id.set(high, low);
    if ((high & HAS_TEXT) != 0) {
      id.text().wrap(text(low));
    }
  }

  /** The length of the id's text in bytes. */
  public static int textLength(long high) {
    return (high & HAS_TEXT) != 0 ? TEXT_BYTES : 0;
  }

  private static byte[] text(long low) {
    byte[] text = new byte[TEXT_BYTES];
    text[0] = 't';
    text[1] = '-';
    for (int i = 0; i < 16; i++) {
      text[2 + i] = HEX[(int) (low >>> (4 * i)) & 15];
    }
    return text;
  }
}
