package io.entroq.server.settings;

import java.util.List;

/** Where a server listens. */
public final class ListeningSettings {
  private static final Declaring IN = new Declaring(Section.LISTENING);
  private static final int PORT_MAX = 65_535;

  public static final Setting<String> HOST =
      IN.optional(
          "host", Kinds.text("ADDRESS"), "all", "The address of this machine to listen on.");

  public static final Setting<Integer> PORT =
      IN.standard(
          "port",
          Kinds.number("PORT", 0, PORT_MAX),
          "37706",
          "Where gRPC listens; 0: any free port.");

  public static final Setting<Integer> HTTP_PORT =
      IN.standard(
          "http-port",
          Kinds.number("PORT", 0, PORT_MAX),
          "9100",
          "Where HTTP listens: REST, Connect, /metrics, /healthz; 0: any free port.");

  public static final Setting<Integer> MAX_SIZE_MB =
      IN.standard(
          "max-size-mb",
          Kinds.number("MIB", 1, 256),
          "10",
          "How long a request may be, and an answer, in MiB.");

  private ListeningSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(HOST, PORT, HTTP_PORT, MAX_SIZE_MB);
  }
}
