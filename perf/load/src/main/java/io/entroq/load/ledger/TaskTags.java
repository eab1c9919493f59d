package io.entroq.load.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Values that identify the task: which run, which caller inserted it, and which of that caller's
 * tasks it is. The rest are random bytes, which nothing can compress. Any thread.
 *
 * <p>The first 16 bytes are the run (int), the caller (int), and a number (long) that counts the
 * caller's tasks from 0.
 */
public final class TaskTags {
  /** Length of what identifies a task. */
  public static final int BYTES = 16;

  private static final int SOURCE_AT = 4;
  private static final int NUMBER_AT = 8;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] template;
  private final int run;

  /**
   * @param run distinguishes the tasks of this run from others
   * @param valueBytes how large values are, at least {@link #BYTES}
   */
  public TaskTags(int run, int valueBytes) {
    this.run = run;
    this.template = new byte[valueBytes];
    new SplittableRandom(valueBytes).nextBytes(template);
    INT.set(template, 0, run);
  }

  /** The value of a task that is to be inserted. */
  byte[] value(int source, long number) {
    byte[] bytes = template.clone();
    INT.set(bytes, SOURCE_AT, source);
    LONG.set(bytes, NUMBER_AT, number);
    return bytes;
  }

  /** Whether a value is one of this run's, and undamaged as far as can be seen. */
  boolean isOn(byte[] value) {
    return value.length == template.length
        && (int) INT.get(value, 0) == run
        && Arrays.equals(value, BYTES, value.length, template, BYTES, template.length);
  }

  /** Who inserted the task; only if the value is one of this run's. */
  static int source(byte[] value) {
    return (int) INT.get(value, SOURCE_AT);
  }

  /** Which of its inserter's tasks it is; only if the value is one of this run's. */
  static long number(byte[] value) {
    return (long) LONG.get(value, NUMBER_AT);
  }
}
