package io.entroq.service.authentication;

import com.nimbusds.jwt.SignedJWT;
import io.entroq.service.call.Principal;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Finds out who calls, from the Authorization header. Any thread; does not block. */
final class JwtAuthenticator implements AutoCloseable {
  private static final String SCHEME = "Bearer";

  private final KeyCache keys;
  private final JwtVerifier verifier;
  private final TokenCache tokens;
  private final Clock clock;

  JwtAuthenticator(AuthenticationConfig config, KeyCache keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
    verifier = new JwtVerifier(config, clock);
    tokens = new TokenCache(config);
  }

  /**
   * Authenticates a caller.
   *
   * @param headers the values of all Authorization headers
   * @return completes with the caller, or an {@link AuthenticationException}; at once, unless keys
   *     must be fetched
   */
  CompletableFuture<Principal> authenticate(List<String> headers) {
    try {
      String token = token(headers);
      ByteBuffer digest = TokenCache.digest(token);
      KeySet current = keys.current();
      Principal known = current == null ? null : tokens.find(digest, current, clock.millis());
      if (known != null) {
        return CompletableFuture.completedFuture(known);
      }
      SignedJWT jwt = verifier.parse(token);
      return current == null
          ? keys.refresh().thenCompose(first -> verify(jwt, digest, first))
          : verify(jwt, digest, current);
    } catch (AuthenticationException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static String token(List<String> headers) throws AuthenticationException {
    if (headers.isEmpty()) {
      throw AuthenticationException.invalid(
          "a token is required; send the header Authorization: Bearer TOKEN");
    }
    if (headers.size() > 1) {
      throw AuthenticationException.invalid("more than one Authorization header");
    }
    String header = headers.get(0).trim();
    int blank = header.indexOf(' ');
    String token = header.substring(blank + 1).trim();
    boolean isBearer = blank > 0 && header.substring(0, blank).equalsIgnoreCase(SCHEME);
    if (!isBearer || token.indexOf(' ') >= 0) {
      throw AuthenticationException.invalid(
          "the Authorization header does not have the form: Bearer TOKEN");
    }
    return token;
  }

  private CompletableFuture<Principal> verify(SignedJWT jwt, ByteBuffer digest, KeySet with) {
    boolean mayBeRenewed =
        jwt.getHeader().getKeyID() == null || with.candidates(jwt.getHeader()).isEmpty();
    if (verifier.isSignedBy(with, jwt)) {
      return accept(jwt, digest, with);
    }
    if (!mayBeRenewed) {
      return CompletableFuture.failedFuture(
          AuthenticationException.invalid("the token's signature is not valid"));
    }
    // Its key may be newer than ours.
    return keys.refresh()
        .thenCompose(
            newest ->
                newest != with && verifier.isSignedBy(newest, jwt)
                    ? accept(jwt, digest, newest)
                    : CompletableFuture.failedFuture(
                        AuthenticationException.invalid(
                            "no known key has signed the token; issuers' keys are at most some"
                                + " seconds old here")));
  }

  private CompletableFuture<Principal> accept(SignedJWT jwt, ByteBuffer digest, KeySet with) {
    try {
      Principal principal = verifier.principal(jwt);
      tokens.add(digest, principal, with, clock.millis(), verifier.validUntilMs(principal));
      return CompletableFuture.completedFuture(principal);
    } catch (AuthenticationException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  int cachedTokens() {
    return tokens.size();
  }

  @Override
  public void close() {
    keys.close();
  }
}
