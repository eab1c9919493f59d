package io.entroq.service.http;

import io.entroq.service.call.Headers;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.limit.Origin;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * A complete request to a {@link Site}.
 *
 * @param path begins with that of the site; still encoded
 * @param query without the question mark, still encoded; may be empty
 * @param mediaType of the body, in lower case
 * @param body not copied
 * @param headers may be read at any time
 * @param origin whose share of the limits the request takes
 * @param local the address that the connection came to
 * @param remote the address that it came from
 * @param isTls whether the connection is encrypted by this server
 * @param peer the certificate that the client has shown, if it was verified
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record SiteRequest(
    String verb,
    String path,
    String query,
    Optional<String> mediaType,
    byte[] body,
    Headers headers,
    Origin origin,
    InetSocketAddress local,
    InetSocketAddress remote,
    boolean isTls,
    Optional<X509Certificate> peer) {
  static SiteRequest of(HttpConnection connection, ApiRequest request) {
    return new SiteRequest(
        request.verb(),
        request.path(),
        request.query(),
        request.mediaType(),
        request.body(),
        request.headers(),
        connection.origin(),
        connection.local(),
        connection.remote(),
        connection.isTls(),
        connection.peer());
  }
}
