package io.entroq.perf.load;

import io.entroq.api.Value;
import java.util.random.RandomGenerator;

/** Values of tasks: bytes that nothing can make smaller. */
public final class Values {
  private Values() {}

  /** One of a size. */
  public static Value random(RandomGenerator random, int bytes) {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    return Value.wrap(Value.Kind.BYTES, content);
  }
}
