package io.entroq.server.cli.queue.options;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.client.EntroQClient;
import io.entroq.client.transport.Address;
import io.entroq.server.settings.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options for the connection to a server: those of EntroQ's own tool, contract 3.7. */
public final class ServerOptions {
  private static final String ADDRESS_VARIABLE = "SVCADDR";
  private static final PortHint HINT = new PortHint("-s", "-S and --tls-ca");

  @Option(
      names = {"-s", "--svcaddr"},
      paramLabel = "HOST:PORT",
      description =
          "Address of the server; of a cluster, its members separated by commas. Default:"
              + " $SVCADDR, unless --data is given.")
  private String address;

  @Option(
      names = {"-S", "--secure"},
      description = "Use TLS.")
  private boolean isSecure;

  @Option(
      names = {"--tls-ca", "--tls_ca"},
      paramLabel = "FILE",
      description =
          "Use TLS, and trust servers whose certificates one of these CAs (PEM) has signed."
              + " Default with -S: the JVM's.")
  private Path certificateAuthority;

  @Option(
      names = {"--tls-cert", "--tls_cert"},
      paramLabel = "FILE",
      description = "Client certificate (PEM). Requires --tls-key.")
  private Path certificate;

  @Option(
      names = {"--tls-key", "--tls_key"},
      paramLabel = "FILE",
      description = "Key of the client certificate (PEM).")
  private Path key;

  @Option(
      names = {"--authz_token", "--authz-token"},
      paramLabel = "TOKEN",
      defaultValue = "${env:AUTHZ_TOKEN}",
      description = "Token for the server. Default: $AUTHZ_TOKEN.")
  private String token;

  @Option(
      names = {"--max_msg_size_mb", "--max-msg-size-mb"},
      paramLabel = "MB",
      description = "Largest response in MiB. Default: 10.")
  private int messageMibMax = 10;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long to try to connect: " + DurationConverter.FORMS + ". Default: 5.")
  private Duration connectTimeout = ConnectionChoice.CONNECT_TIMEOUT;

  /** The server on the command line. */
  public Optional<String> named() {
    return Optional.ofNullable(address);
  }

  /** The server on the command line, else in the environment. */
  public Optional<String> address() {
    return named()
        .or(() -> Optional.ofNullable(System.getenv(ADDRESS_VARIABLE)))
        .filter(text -> !text.isEmpty());
  }

  /**
   * The normalized address of a server, or addresses of the members of a cluster.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if an address is invalid
   */
  static String where(String server) {
    return Address.list(server).stream().map(Address::toString).collect(Collectors.joining(", "));
  }

  /**
   * Why the options cannot be used together; empty if they can.
   *
   * @param isServer whether the command works on a server
   */
  public Optional<String> objection(boolean isServer) {
    boolean hasAny = isSecure || certificateAuthority != null || certificate != null || key != null;
    if (hasAny && !isServer) {
      return Optional.of("-S and --tls-... apply to a server: give -s");
    }
    if ((certificate == null) != (key == null)) {
      return Optional.of("--tls-cert and --tls-key must be given together");
    }
    if (messageMibMax < 1 || messageMibMax > Integer.MAX_VALUE >> 20) {
      return Optional.of("--max_msg_size_mb %d must be from 1 to 2047".formatted(messageMibMax));
    }
    if (connectTimeout.isZero()) {
      return Optional.of("--connect-timeout 0 must be greater than 0");
    }
    return Optional.empty();
  }

  /**
   * Connects to a server.
   *
   * @throws EntroQException if it fails; the message says why
   */
  public EntroQ connect(String server) {
    ConnectionChoice choice = choice();
    try {
      return EntroQClient.connect(choice.to(server).build());
    } catch (EntroQException.Unavailable e) {
      if (Address.list(server).size() > 1) {
        // The message covers all members; a hint would cover one.
        throw e;
      }
      throw HINT.of(where(server), choice.isEncrypted(), e.getMessage())
          .map(hint -> new EntroQException.Unavailable(hint, e))
          .orElse(e);
    }
  }

  private ConnectionChoice choice() {
    return new ConnectionChoice(
        isSecure,
        Optional.ofNullable(certificateAuthority),
        Optional.ofNullable(certificate),
        Optional.ofNullable(key),
        Optional.ofNullable(token),
        messageMibMax,
        connectTimeout);
  }

  /**
   * A client for administration; not connected yet.
   *
   * @param server a single address
   * @throws EntroQException.InvalidArgument if the address is invalid, or keys cannot be read
   */
  public AdminClient admin(String server) {
    return AdminClient.of(choice().to(server).build());
  }

  /**
   * The addresses, one by one.
   *
   * @throws EntroQException.InvalidArgument if one is invalid
   */
  public List<String> each() {
    return Address.list(address().orElse("")).stream().map(Address::toString).toList();
  }
}
