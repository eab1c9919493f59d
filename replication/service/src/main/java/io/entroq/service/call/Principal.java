package io.entroq.service.call;

import java.util.List;

/**
 * An authenticated caller, as its verified token describes it.
 *
 * @param subject who it is; not empty
 * @param issuer who says so
 * @param audience for whom the token was issued; not empty
 * @param expiresAtS when the token expires, in seconds since the epoch
 * @param claims everything that the token says, as a JSON object
 */
public record Principal(
    String subject, String issuer, List<String> audience, long expiresAtS, String claims) {}
