package io.entroq.cluster.member;

import java.util.List;
import java.util.Map;

/** How to start the JVM of a member that has a process of its own. */
public final class MemberJvm {
  /** With more processors, collectors that work in parallel pause for less time. */
  private static final int FEW_PROCESSORS = 2;

  private MemberJvm() {}

  /**
   * The flags that shorten pauses: no statistics in a file, which a busy disk delays; and on few
   * processors a collector of one thread, which need not wait until the machine has run several.
   *
   * @param environment of the process. Variables of the JVM that name a collector decide
   */
  public static List<String> flags(int processors, Map<String, String> environment) {
    String given =
        environment.getOrDefault("JAVA_TOOL_OPTIONS", "")
            + environment.getOrDefault("JDK_JAVA_OPTIONS", "");
    return processors > FEW_PROCESSORS || given.contains("GC")
        ? List.of("-XX:+PerfDisableSharedMem")
        : List.of("-XX:+PerfDisableSharedMem", "-XX:+UseSerialGC");
  }
}
