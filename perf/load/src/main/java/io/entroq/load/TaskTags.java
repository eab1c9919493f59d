package io.entroq.load;

import io.entroq.api.Value;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * Values that say which task of which run they belong to, and are random bytes besides, which
 * nothing can make smaller. Any thread.
 *
 * <p>The first 16 bytes are an int of the run, an int that says who inserted the task, and a long
 * that counts that one's tasks from 0.
 */
final class TaskTags {
  /** How many bytes it takes. */
  static final int BYTES = 16;

  private static final int SOURCE_AT = 4;
  private static final int NUMBER_AT = 8;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] template;
  private final int run;

  /**
   * @param run what tells the tasks of this run from others
   * @param valueBytes how large values are, at least {@link #BYTES}
   */
  TaskTags(int run, int valueBytes) {
    this.run = run;
    this.template = new byte[valueBytes];
    new SplittableRandom(valueBytes).nextBytes(template);
    INT.set(template, 0, run);
  }

  /** The value of a task that is to be inserted. */
  Value value(int source, long number) {
    byte[] bytes = template.clone();
    INT.set(bytes, SOURCE_AT, source);
    LONG.set(bytes, NUMBER_AT, number);
    return Value.wrap(Value.Kind.BYTES, bytes);
  }

  /** Whether a value is one of this run's. */
  boolean isOn(Value value) {
    return value.size() == template.length && (int) INT.get(value.unwrap(), 0) == run;
  }

  /** Who inserted the task; only if the value is one of this run's. */
  static int source(Value value) {
    return (int) INT.get(value.unwrap(), SOURCE_AT);
  }

  /** Which of its inserter's tasks it is; only if the value is one of this run's. */
  static long number(Value value) {
    return (long) LONG.get(value.unwrap(), NUMBER_AT);
  }
}
