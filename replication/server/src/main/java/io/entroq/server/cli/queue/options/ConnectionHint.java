package io.entroq.server.cli.queue.options;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Recognizes by the error of a failed connection what the user can do: a misspelled host, a wrong
 * port, TLS on only one side, or a certificate that is not accepted.
 *
 * @param addressOption the option that names the server
 * @param secureOption the option that enables TLS
 * @param prefix of the options for certificates, including the dashes
 */
record ConnectionHint(String addressOption, String secureOption, String prefix) {
  private static final String UNKNOWN_HOST = "Unable to resolve host";
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";
  private static final String NO_TLS = "not an SSL/TLS record";
  private static final String NO_HTTP2_OVER_TLS = "Failed ALPN negotiation";

  /** The beginning of an HTTP/1 response, in hexadecimal. */
  private static final String HTTP = ": 485454502f";

  /** The error of a plaintext connection to a TLS port. */
  private static final String CLOSED = "Network closed for unknown reason";

  /** The JDK's errors for a certificate chain that ends at no trusted CA. */
  private static final Pattern UNTRUSTED =
      Pattern.compile(
          "unable to find valid certification path|path does not chain|trust anchor",
          Pattern.CASE_INSENSITIVE);

  /** The JDK's errors for a certificate that does not have the name of the host. */
  private static final Pattern OTHER_HOST =
      Pattern.compile("No subject alternative (DNS )?name|No name matching");

  /** The JDK's errors for a certificate outside its period of validity. */
  private static final Pattern OUT_OF_DATE = Pattern.compile("Not(After|Before): ");

  /** The alerts of a server that wants a client certificate, or another one. */
  private static final Pattern REJECTED =
      Pattern.compile("alert[_ ](certificate_required|bad_certificate|unknown_ca)");

  /**
   * Advice on what to do; empty if the error is not recognized.
   *
   * @param where the server's host and port
   * @param isEncrypted whether the connection used TLS
   * @param failure the error message
   */
  Optional<String> of(String where, boolean isEncrypted, String failure) {
    if (failure.contains(UNKNOWN_HOST)) {
      return Optional.of(
          "the host name in %s is unknown; check %s and DNS".formatted(where, addressOption));
    }
    boolean isHttp =
        (failure.contains(NO_HTTP2) || failure.contains(NO_TLS)) && failure.contains(HTTP);
    if (isHttp || failure.contains(NO_HTTP2_OVER_TLS)) {
      return Optional.of(
          "%s seems to be a server's HTTP port; %s needs its gRPC port, 37706 by default"
              .formatted(where, addressOption));
    }
    if (failure.contains(NO_TLS)) {
      return Optional.of("%s does not use TLS; omit %s".formatted(where, tlsOptions()));
    }
    if (isEncrypted) {
      return certificates(where, failure);
    }
    return failure.contains(CLOSED)
        ? Optional.of(
            "%s closes connections at once, as a server that requires TLS does; try %s"
                .formatted(where, tlsOptions()))
        : Optional.empty();
  }

  private Optional<String> certificates(String where, String failure) {
    if (UNTRUSTED.matcher(failure).find()) {
      return Optional.of(
          ("the certificate of %s is not trusted: no known CA has signed it. Name the file with its"
                  + " CA, or with the certificate itself, with %stls-ca")
              .formatted(where, prefix));
    }
    if (OTHER_HOST.matcher(failure).find()) {
      return Optional.of(
          "the certificate of %s is for another host: %s. Give %s a name that is in the certificate"
              .formatted(where, reason(failure), addressOption));
    }
    if (OUT_OF_DATE.matcher(failure).find()) {
      return Optional.of(
          "the certificate of %s is not valid now: %s. Renew it on the server, or correct the clock"
              .formatted(where, reason(failure)));
    }
    return REJECTED.matcher(failure.toLowerCase(Locale.ROOT)).find()
        ? Optional.of(
            ("%s accepts only clients with a certificate that it trusts; give one with %2$stls-cert"
                    + " and %2$stls-key")
                .formatted(where, prefix))
        : Optional.empty();
  }

  /** The innermost cause, which comes last. */
  private static String reason(String failure) {
    return failure.substring(failure.lastIndexOf("No")).split("; ", 2)[0];
  }

  private String tlsOptions() {
    return secureOption + " and " + prefix + "tls-ca";
  }
}
