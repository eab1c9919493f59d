package io.entroq.server.settings;

import java.nio.file.Path;
import java.util.List;

/** How a server and its callers know each other. */
public final class TlsSettings {
  private static final Declaring IN = new Declaring(Section.TLS);

  public static final Setting<Path> TLS_CERT =
      IN.optional(
          "tls-cert",
          Kinds.path("FILE"),
          "none, no TLS",
          "The server's certificate and those above it, PEM. Both ports speak TLS only then. A file"
              + " that has changed is taken within half a minute.");

  public static final Setting<Path> TLS_KEY =
      IN.optional(
          "tls-key",
          Kinds.path("FILE"),
          "none",
          "The key of that certificate, PEM, PKCS #8, without a password.");

  public static final Setting<Path> TLS_CLIENT_CA =
      IN.optional(
          "tls-client-ca",
          Kinds.path("FILE"),
          "none, callers need no certificate",
          "Certificates, PEM. Callers have to show one that is signed by one of these.");

  private TlsSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(TLS_CERT, TLS_KEY, TLS_CLIENT_CA);
  }
}
