package io.entroq.server.settings;

import java.nio.file.Path;
import java.util.List;

/** Settings of TLS. */
public final class TlsSettings {
  private static final Section IN = Section.TLS;

  public static final Setting<Path> TLS_CERT =
      IN.optional(
              "tls-cert",
              SettingTypes.path("FILE"),
              "none, no TLS",
              "Server certificate chain, PEM. Both ports then accept TLS only. A changed file is"
                  + " reloaded within 30 s.")
          .changeWhen("callers reach the server over a network that you do not trust");

  public static final Setting<Path> TLS_KEY =
      IN.optional(
              "tls-key",
              SettingTypes.path("FILE"),
              "none",
              "Private key of the certificate, PEM (PKCS #8, unencrypted).")
          .changeWhen("you set `--tls-cert`");

  public static final Setting<Path> TLS_CLIENT_CA =
      IN.optional(
              "tls-client-ca",
              SettingTypes.path("FILE"),
              "none, callers need no certificate",
              "CA certificates, PEM. Callers must present a certificate that one of them signed.")
          .changeWhen("callers authenticate with certificates (mutual TLS)");

  private TlsSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(TLS_CERT, TLS_KEY, TLS_CLIENT_CA);
  }
}
