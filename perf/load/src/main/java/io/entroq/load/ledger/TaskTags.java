package io.entroq.load.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Values that identify a task: the run, the caller, and the number of the caller's task. The rest
 * is random and does not compress. Any thread.
 *
 * <p>The first 16 bytes are the run (int), the caller (int), and the number (long) from 0.
 */
public final class TaskTags {
  /** Length of the identification. */
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
   * @param run distinguishes the tasks of this run
   * @param valueBytes length of values, at least {@link #BYTES}
   */
  public TaskTags(int run, int valueBytes) {
    this.run = run;
    this.template = new byte[valueBytes];
    new SplittableRandom(valueBytes).nextBytes(template);
    INT.set(template, 0, run);
  }

  byte[] value(int source, long number) {
    byte[] bytes = template.clone();
    INT.set(bytes, SOURCE_AT, source);
    LONG.set(bytes, NUMBER_AT, number);
    return bytes;
  }

  /** Whether a value belongs to this run and is intact. */
  boolean isOn(byte[] value) {
    return value.length == template.length
        && (int) INT.get(value, 0) == run
        && Arrays.equals(value, BYTES, value.length, template, BYTES, template.length);
  }

  /** The caller of a value of this run. */
  static int source(byte[] value) {
    return (int) INT.get(value, SOURCE_AT);
  }

  /** The number of a value of this run. */
  static long number(byte[] value) {
    return (long) LONG.get(value, NUMBER_AT);
  }
}
