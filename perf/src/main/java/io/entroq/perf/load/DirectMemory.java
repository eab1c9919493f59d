package io.entroq.perf.load;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM itself knows of memory outside the heap: a witness that does not ask the engine. */
public final class DirectMemory {
  private DirectMemory() {}

  /** Bytes of all direct buffers of the process. */
  public static long bytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
