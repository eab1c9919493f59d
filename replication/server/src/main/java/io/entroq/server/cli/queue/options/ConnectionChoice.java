package io.entroq.server.cli.queue.options;

import io.entroq.client.ClientConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The options for a connection to a server.
 *
 * @param isSecure whether to use TLS
 * @param certificateAuthority trusted CAs; empty: the JVM's
 * @param certificate client certificate; empty: none
 * @param key of the client certificate
 * @param token authorization token; absent or empty: none
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
  /**
   * Whether Netty defines events for the JDK's flight recorder. Loading that recorder takes a tenth
   * of the processor time of a short command.
   */
  private static final String NETTY_EVENTS = "io.grpc.netty.shaded.io.netty.jfr.enabled";

  /** Short, since a user is waiting. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Checks the options.
   *
   * @param prefix of the option names, including the dashes
   * @throws ParameterException if they are invalid
   */
  void check(CommandLine command, String prefix) {
    if (certificate.isPresent() != key.isPresent()) {
      throw new ParameterException(
          command, "%1$stls-cert and %1$stls-key must be given together".formatted(prefix));
    }
    if (messageMibMax < 1 || messageMibMax > Integer.MAX_VALUE >> 20) {
      throw new ParameterException(
          command, "%smax-msg-size-mb %d must be from 1 to 2047".formatted(prefix, messageMibMax));
    }
    if (connectTimeout.isZero()) {
      throw new ParameterException(command, prefix + "connect-timeout 0 must be greater than 0");
    }
  }

  /** Whether any option enables TLS. */
  boolean isEncrypted() {
    return isSecure || certificateAuthority.isPresent() || certificate.isPresent();
  }

  /**
   * The configuration of a client.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if the address is invalid
   */
  ClientConfig.Builder to(String server) {
    if (System.getProperty(NETTY_EVENTS) == null) {
      System.setProperty(NETTY_EVENTS, "false");
    }
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
