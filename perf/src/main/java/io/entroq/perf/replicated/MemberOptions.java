package io.entroq.perf.replicated;

import io.entroq.api.Durability;
import io.entroq.tools.terminal.OptionRange;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How members are set up. */
final class MemberOptions {
  @Option(names = "--durability", description = "os, disk (${DEFAULT-VALUE}).")
  private Durability durability = Durability.OS;

  @Option(
      names = "--heartbeat-ms",
      description = "Heartbeat timeout in milliseconds; 0: the members' default.")
  private int heartbeatMs;

  @Option(
      names = "--flag",
      paramLabel = "FLAG",
      description =
          "Another flag for the members' JVMs, repeatable. -XX:TieredStopAtLevel=1 warms them up in"
              + " seconds, at a lower speed.")
  private List<String> flags = new ArrayList<>();

  void check() {
    OptionRange.require("--heartbeat-ms", heartbeatMs, 0, 60_000);
  }

  Durability durability() {
    return durability;
  }

  /** In milliseconds; 0: the members' default. */
  int heartbeatMs() {
    return heartbeatMs;
  }

  /** Flags of the members' JVMs, besides those that they need. */
  List<String> flags() {
    return flags;
  }
}
