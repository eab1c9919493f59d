package io.entroq.engine.call;

import io.entroq.api.TaskId;
import io.entroq.codec.wire.IdKey;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Generates ids for tasks: random UUIDs, made of a counter and two random seeds per opening. This
 * avoids the cost of a secure random generator per task. Any thread.
 */
public final class TaskIdGenerator {
  private static final long VERSION_MASK = 0xF000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;
  private static final long VARIANT_RFC = 0x8000_0000_0000_0000L;

  private final long highSeed;
  private final long lowSeed;
  private final AtomicLong counter = new AtomicLong();

  public TaskIdGenerator(RandomGenerator random) {
    highSeed = random.nextLong();
    lowSeed = random.nextLong();
  }

  public TaskId next() {
    long count = counter.incrementAndGet();
    long high = (mix(highSeed + count) & ~VERSION_MASK) | VERSION_4;
    long low = (mix(lowSeed ^ Long.reverse(count)) & ~VARIANT_MASK) | VARIANT_RFC;
    return TaskId.of(new IdKey(high, low, ""));
  }

  /** A bijection; each bit of the input flips about half of the bits of the output. */
  private static long mix(long input) {
    long bits = (input ^ (input >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }
}
