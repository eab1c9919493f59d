package io.entroq.server.cli.queue.options;

import io.entroq.client.ClientConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to connect to a server, from the command line. Immutable.
 *
 * @param isSecure whether to use TLS
 * @param certificateAuthority trusted CAs; empty: the JVM's
 * @param certificate client certificate; empty: none
 * @param key of the client certificate
 * @param token for the server; absent or empty: none
 * @param messageMibMax largest response, in MiB
 * @param connectTimeout how long to try to connect; positive
 */
record ConnectionChoice(
    boolean isSecure,
    Optional<Path> certificateAuthority,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<String> token,
    int messageMibMax,
    Duration connectTimeout) {
  /** Short, since a user waits. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Whether any option asks for TLS. */
  boolean isEncrypted() {
    return isSecure || certificateAuthority.isPresent() || certificate.isPresent();
  }

  /**
   * The configuration of a client.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if the address is invalid
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
