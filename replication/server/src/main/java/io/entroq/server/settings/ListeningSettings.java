package io.entroq.server.settings;

import java.time.Duration;
import java.util.List;

/** Settings of the ports. */
public final class ListeningSettings {
  private static final Section IN = Section.NETWORK;
  private static final int PORT_MAX = 65_535;

  public static final Setting<String> HOST =
      IN.optional(
              "host", SettingTypes.text("ADDRESS"), "all addresses", "Local address to listen on.")
          .changeWhen("only one network may reach the server; 127.0.0.1 admits local callers only");

  public static final Setting<Integer> PORT =
      IN.setting(
              "port",
              SettingTypes.integer("PORT", 0, PORT_MAX),
              "37706",
              "gRPC port; 0 picks a free port.")
          .changeWhen("the port is taken");

  public static final Setting<Integer> HTTP_PORT =
      IN.setting(
              "http-port",
              SettingTypes.integer("PORT", 0, PORT_MAX),
              "9100",
              "HTTP port for REST, Connect, /metrics and /healthz; 0 picks a free port.")
          .changeWhen("the port is taken; Prometheus node_exporter uses 9100 too");

  public static final Setting<Integer> MAX_SIZE_MB =
      IN.setting(
              "max-size-mb",
              SettingTypes.integer("MIB", 1, 256),
              "10",
              "Largest request and response, in MiB.")
          .changeWhen("values are larger than about 7 MiB");

  public static final Setting<Duration> HTTP_CLAIM_HEARTBEAT =
      IN.setting(
              "http-claim-heartbeat",
              SettingTypes.duration(Duration.ZERO, Duration.ofDays(1)),
              "15s",
              "How often a claim that waits over HTTP sends a blank, and a quiet feed a comment, so"
                  + " that proxies do not cut the idle connection; 0: never.")
          .changeWhen("a proxy cuts connections that are idle for less than that");

  public static final Setting<Duration> WARM_UP =
      IN.setting(
              "warm-up",
              SettingTypes.duration(Duration.ZERO, Duration.ofMinutes(10)),
              "3s",
              "How long to exercise the server's code before it opens its ports, so that it is fast"
                  + " from the first request on; 0 for not at all.")
          .changeWhen("a test starts many servers (0), or the first seconds matter much (longer)");

  private ListeningSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(HOST, PORT, HTTP_PORT, MAX_SIZE_MB, HTTP_CLAIM_HEARTBEAT, WARM_UP);
  }
}
