package io.entroq.server.cli.queue.options;

import java.util.Optional;

/**
 * Tells by what a connection has failed with that its port is another one than was meant, or that
 * one side speaks TLS and the other does not.
 *
 * @param addressOption which option names the server
 * @param tlsOptions which ones encrypt the connection to it
 */
record PortHint(String addressOption, String tlsOptions) {
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";
  private static final String NO_TLS = "not an SSL/TLS record";
  private static final String NO_HTTP2_BEHIND_TLS = "Failed ALPN negotiation";

  /** How an answer over HTTP/1 begins, in hexadecimal digits. */
  private static final String HTTP = ": 485454502f";

  /** All that is heard of a server which is not spoken to in TLS and wants that. */
  private static final String CUT = "Network closed for unknown reason";

  /**
   * What to do, in a sentence; empty if that cannot be told.
   *
   * @param where the server's host and port
   * @param isEncrypted whether the connection was to be
   * @param failure what it has failed with
   */
  Optional<String> of(String where, boolean isEncrypted, String failure) {
    boolean isHttp =
        (failure.contains(NO_HTTP2) || failure.contains(NO_TLS)) && failure.contains(HTTP);
    if (isHttp || failure.contains(NO_HTTP2_BEHIND_TLS)) {
      return Optional.of(
          "%s seems to be a server's HTTP port; %s needs its gRPC port, 37706 by default"
              .formatted(where, addressOption));
    }
    if (failure.contains(NO_TLS)) {
      return Optional.of("%s does not use TLS; omit %s".formatted(where, tlsOptions));
    }
    return !isEncrypted && failure.contains(CUT)
        ? Optional.of(
            "%s closes connections at once, as a server does that requires TLS; try %s"
                .formatted(where, tlsOptions))
        : Optional.empty();
  }
}
