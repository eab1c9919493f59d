package io.entroq.load;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine of a measurement. Figures without it mean nothing.
 *
 * @param cores processors of this JVM
 * @param cpu their model
 * @param memoryBytes of the machine
 * @param os name and version of the operating system
 * @param jvm version of the JVM
 * @param heapBytesMax limit of the heap
 * @param directBytesMax limit of direct memory
 * @param collectors names of the garbage collectors
 * @param load load average; negative if unknown
 */
public record Machine(
    int cores,
    String cpu,
    long memoryBytes,
    String os,
    String jvm,
    long heapBytesMax,
    long directBytesMax,
    String collectors,
    double load) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final double GIB = 1L << 30;

  /** This machine, now. */
  public static Machine here() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long heapBytes = Runtime.getRuntime().maxMemory();
    long directBytes = directBytes();
    return new Machine(
        system.getAvailableProcessors(),
        processor(),
        system.getTotalMemorySize(),
        system.getName() + " " + system.getVersion(),
        Runtime.version().toString(),
        heapBytes,
        // Not set, it may become as large as the heap.
        directBytes == 0 ? heapBytes : directBytes,
        collectorNames(),
        system.getSystemLoadAverage());
  }

  /** One line for users. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%d x %s, %.1f GiB, %s, JDK %s, heap up to %.1f GiB, direct memory up to %.1f GiB, %s, load"
            + " %.2f",
        cores,
        cpu,
        memoryBytes / GIB,
        os,
        jvm,
        heapBytesMax / GIB,
        directBytesMax / GIB,
        collectors,
        load);
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      // Not Linux.
      return System.getProperty("os.arch");
    }
  }

  private static long directBytes() {
    return Long.parseLong(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize")
            .getValue());
  }

  private static String collectorNames() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(" and "));
  }
}
