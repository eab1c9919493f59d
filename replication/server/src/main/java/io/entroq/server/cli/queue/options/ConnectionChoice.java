package io.entroq.server.cli.queue.options;

import io.entroq.client.ClientConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to connect to a server, as a command line says it. Immutable.
 *
 * @param isSecure whether to encrypt
 * @param certificateAuthority what servers' certificates are checked by; empty: those that the JVM
 *     trusts
 * @param certificate what to show the server; empty: nothing
 * @param key to the certificate
 * @param token to show the server; none or empty: nothing
 * @param messageMibMax how long an answer may be, in MiB
 * @param connectTimeout how long it is tried to reach the server; positive
 */
record ConnectionChoice(
    boolean isSecure,
    Optional<Path> certificateAuthority,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<String> token,
    int messageMibMax,
    Duration connectTimeout) {
  /** Somebody sits there and waits. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Whether to encrypt, for whichever reason. */
  boolean isEncrypted() {
    return isSecure || certificateAuthority.isPresent() || certificate.isPresent();
  }

  /**
   * The set-up of a connection.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if the address is none
   */
  ClientConfig.Builder to(String server) {
    ClientConfig.Builder config =
        ClientConfig.to(server).connectTimeout(connectTimeout).messageBytesMax(messageMibMax << 20);
    if (isSecure) {
      config.tls();
    }
    certificateAuthority.ifPresent(config::tls);
    if (certificate.isPresent() && key.isPresent()) {
      config.clientCertificate(certificate.get(), key.get());
    }
    token.filter(text -> !text.isEmpty()).ifPresent(config::token);
    return config;
  }
}
