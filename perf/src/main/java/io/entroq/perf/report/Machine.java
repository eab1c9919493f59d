package io.entroq.perf.report;

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

/** What figures were measured on. Figures without it mean nothing. */
public final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final double GIB = 1L << 30;

  private Machine() {}

  /** Processor, memory, system, JVM and its bounds, and how busy the machine is, in one line. */
  public static String line() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return String.format(
        Locale.ROOT,
        "%d x %s, %.1f GiB, %s %s, JDK %s, heap up to %.1f GiB, direct memory up to %s, %s, load"
            + " %.2f",
        system.getAvailableProcessors(),
        processor(),
        system.getTotalMemorySize() / GIB,
        system.getName(),
        system.getVersion(),
        Runtime.version(),
        Runtime.getRuntime().maxMemory() / GIB,
        directMemory(),
        collectors(),
        system.getSystemLoadAverage());
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

  private static String directMemory() {
    long bytes =
        Long.parseLong(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue());
    return bytes == 0 ? "as much" : String.format(Locale.ROOT, "%.1f GiB", bytes / GIB);
  }

  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(" and "));
  }
}
