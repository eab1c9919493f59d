package io.entroq.perf.memory;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM itself knows of memory outside the heap: a witness that does not ask the engine. */
final class DirectMemory {
  private DirectMemory() {}

  /** Bytes of all direct buffers of the process. */
  static long bytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
