package io.entroq.server.cli.queue.options;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.client.transport.Address;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.server.settings.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for connecting to a server, as in EntroQ's own tool (contract 3.7). */
public final class ServerOptions {
  private static final String ADDRESS_VARIABLE = "SVCADDR";
  private static final ConnectionHint HINT = new ConnectionHint("-s", "-S", "--");

  @Option(
      names = {"-s", "--svcaddr"},
      paramLabel = "HOST:PORT",
      description =
          "Address of the server, or of the members of a cluster, separated by commas. Default:"
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
          "Use TLS and trust server certificates signed by these CAs (PEM). Default with -S: the"
              + " JVM's CAs.")
  private Path certificateAuthority;

  @Option(
      names = {"--tls-cert", "--tls_cert"},
      paramLabel = "FILE",
      description = "Client certificate (PEM). Requires --tls-key.")
  private Path certificate;

  @Option(
      names = {"--tls-key", "--tls_key"},
      paramLabel = "FILE",
      description = "Private key of the client certificate (PEM).")
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
      description = "Maximum size of a response in MiB. Default: 10.")
  private int messageMibMax = 10;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long to try to connect: " + DurationConverter.FORMS + ". Default: 5.")
  private Duration connectTimeout = ConnectionChoice.CONNECT_TIMEOUT;

  /** The server given on the command line. */
  public Optional<String> named() {
    return Optional.ofNullable(address);
  }

  /** The server given on the command line, else in the environment. */
  public Optional<String> address() {
    return named()
        .or(() -> Optional.ofNullable(System.getenv(ADDRESS_VARIABLE)))
        .filter(text -> !text.isEmpty());
  }

  /**
   * The normalized address of a server, or the addresses of the members of a cluster.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if an address is invalid
   */
  static String where(String server) {
    return Address.list(server).stream().map(Address::toString).collect(Collectors.joining(", "));
  }

  /**
   * Checks the options.
   *
   * @param isServer whether the command works on a server
   * @throws ParameterException if they are invalid or contradict each other
   */
  public void check(CommandLine command, boolean isServer) {
    boolean hasAny = isSecure || certificateAuthority != null || certificate != null || key != null;
    if (hasAny && !isServer) {
      throw new ParameterException(command, "-S and --tls-... apply to a server: give -s");
    }
    choice().check(command, "--");
  }

  /**
   * Connects to a server.
   *
   * @throws EntroQException if that fails; the message says why
   */
  public EntroQ connect(String server) {
    return connect(server, Optional.empty());
  }

  /**
   * Connects to a server, to see what it has or had.
   *
   * @param asOf empty: the present
   * @throws EntroQException if that fails; the message says why
   */
  EntroQ connect(String server, Optional<HistoryPoint> asOf) {
    ClientConfig.Builder config = choice().to(server);
    asOf.ifPresent(
        point -> {
          if (point.isStep()) {
            config.asOf(point.sequence());
          } else {
            config.asOf(Instant.ofEpochMilli(point.timeMs()));
          }
        });
    try {
      return EntroQClient.connect(config.build());
    } catch (EntroQException.Unavailable e) {
      if (Address.list(server).size() > 1) {
        // The message covers all members; a hint would cover only one.
        throw e;
      }
      throw explained(server, e);
    }
  }

  /**
   * The failure of a connection with advice on what to do, if it is recognized.
   *
   * @param server a single address
   */
  public EntroQException.Unavailable explained(String server, EntroQException.Unavailable failure) {
    return HINT.of(where(server), choice().isEncrypted(), failure.getMessage())
        .map(hint -> new EntroQException.Unavailable(hint, failure))
        .orElse(failure);
  }

  /** Whether connections use TLS. */
  public boolean isEncrypted() {
    return choice().isEncrypted();
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
   * The normalized addresses.
   *
   * @throws EntroQException.InvalidArgument if one is invalid
   */
  public List<String> addresses() {
    return Address.list(address().orElse("")).stream().map(Address::toString).toList();
  }
}
