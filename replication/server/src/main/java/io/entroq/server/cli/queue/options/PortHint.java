package io.entroq.server.cli.queue.options;

import java.util.Optional;

/**
 * Recognizes a wrong port, or TLS on only one side, by the error of a failed connection.
 *
 * @param addressOption the option that names the server
 * @param tlsOptions the options that enable TLS
 */
record PortHint(String addressOption, String tlsOptions) {
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";
  private static final String NO_TLS = "not an SSL/TLS record";
  private static final String NO_HTTP2_OVER_TLS = "Failed ALPN negotiation";

  /** The beginning of an HTTP/1 response, in hexadecimal. */
  private static final String HTTP = ": 485454502f";

  /** The error of a plaintext connection to a TLS port. */
  private static final String CLOSED = "Network closed for unknown reason";

  /**
   * Advice on what to do; empty if the error is not recognized.
   *
   * @param where the server's host and port
   * @param isEncrypted whether the connection used TLS
   * @param failure the error message
   */
  Optional<String> of(String where, boolean isEncrypted, String failure) {
    boolean isHttp =
        (failure.contains(NO_HTTP2) || failure.contains(NO_TLS)) && failure.contains(HTTP);
    if (isHttp || failure.contains(NO_HTTP2_OVER_TLS)) {
      return Optional.of(
          "%s seems to be a server's HTTP port; %s needs its gRPC port, 37706 by default"
              .formatted(where, addressOption));
    }
    if (failure.contains(NO_TLS)) {
      return Optional.of("%s does not use TLS; omit %s".formatted(where, tlsOptions));
    }
    return !isEncrypted && failure.contains(CLOSED)
        ? Optional.of(
            "%s closes connections at once, as a server that requires TLS does; try %s"
                .formatted(where, tlsOptions))
        : Optional.empty();
  }
}
