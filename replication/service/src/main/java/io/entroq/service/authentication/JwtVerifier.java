package io.entroq.service.authentication;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import io.entroq.service.call.Principal;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.time.Clock;
import java.util.Date;
import java.util.HexFormat;
import java.util.Set;

/** Verifies signed tokens: their form, their signature, then their claims. Any thread. */
final class JwtVerifier {
  /** Types of tokens that say who calls; a token need not have a type. */
  private static final Set<JOSEObjectType> TYPES =
      Set.of(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"));

  /** What precedes the bytes of an Ed25519 key in the encoding that the JDK reads, RFC 8410. */
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final long MS_PER_SECOND = 1_000;

  private final SignatureAlgorithms algorithms;
  private final String userClaim;
  private final long skewMs;
  private final Clock clock;
  private final DefaultJWTClaimsVerifier<SecurityContext> claimsVerifier;

  JwtVerifier(AuthenticationConfig config, Clock clock) {
    this.clock = clock;
    algorithms = SignatureAlgorithms.of(config.algorithms());
    userClaim = config.userClaim();
    skewMs = config.clockSkew().toMillis();
    claimsVerifier =
        new DefaultJWTClaimsVerifier<>(
            config.audience(),
            new JWTClaimsSet.Builder().issuer(config.issuer()).build(),
            Set.of("exp"),
            Set.of()) {
          @Override
          protected Date currentTime() {
            return Date.from(clock.instant());
          }
        };
    claimsVerifier.setMaxClockSkew((int) config.clockSkew().toSeconds());
  }

  /** Reads a token; refuses those that no key can make valid. */
  SignedJWT parse(String token) throws AuthenticationException {
    SignedJWT jwt;
    try {
      jwt = SignedJWT.parse(token);
    } catch (ParseException e) {
      // The exception's message could quote the token.
      throw AuthenticationException.invalid(
          "the bearer token is not a signed JWT (RFC 7519, compact form)", e);
    }
    JWSHeader header = jwt.getHeader();
    if (!algorithms.accept(header.getAlgorithm())) {
      throw AuthenticationException.invalid(
          "the token is signed by an algorithm that is not accepted here; accepted: " + algorithms);
    }
    if (header.getCriticalParams() != null) {
      throw AuthenticationException.invalid("the token needs extensions (crit)");
    }
    if (header.getType() != null && !TYPES.contains(header.getType())) {
      throw AuthenticationException.invalid(
          "the token's type (typ) is not JWT or at+jwt, so it does not say who calls");
    }
    return jwt;
  }

  /** Whether any of the keys that may have signed a token has done so. */
  boolean isSignedBy(KeySet keys, SignedJWT jwt) {
    return keys.candidates(jwt.getHeader()).stream().anyMatch(key -> isSignedBy(key, jwt));
  }

  private static boolean isSignedBy(JWK key, SignedJWT jwt) {
    try {
      if (key instanceof RSAKey rsa) {
        return isValid(new RSASSAVerifier(rsa), jwt);
      }
      if (key instanceof ECKey ec) {
        return isValid(new ECDSAVerifier(ec), jwt);
      }
      return key instanceof OctetKeyPair pair && isSignedByEd25519(pair, jwt);
    } catch (JOSEException | GeneralSecurityException e) {
      // A signature of an impossible form, or a key that does not suit the algorithm.
      return false;
    }
  }

  private static boolean isValid(JWSVerifier verifier, SignedJWT jwt) throws JOSEException {
    return jwt.verify(verifier);
  }

  /** By the JDK, since the library would need another one for it. */
  private static boolean isSignedByEd25519(OctetKeyPair key, SignedJWT jwt)
      throws GeneralSecurityException {
    byte[] point = key.getDecodedX();
    byte[] encoded = new byte[ED25519_PREFIX.length + point.length];
    System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
    System.arraycopy(point, 0, encoded, ED25519_PREFIX.length, point.length);
    PublicKey decoded =
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initVerify(decoded);
    signature.update(jwt.getSigningInput());
    return signature.verify(jwt.getSignature().decode());
  }

  /** The caller that a token with a valid signature names, if its claims are valid now. */
  Principal principal(SignedJWT jwt) throws AuthenticationException {
    try {
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      claimsVerifier.verify(claims, null);
      Date issued = claims.getIssueTime();
      if (issued != null && issued.toInstant().minusMillis(skewMs).isAfter(clock.instant())) {
        throw AuthenticationException.invalid("the token was issued in the future (iat)");
      }
      String subject = claims.getStringClaim(userClaim);
      if (subject == null || subject.isEmpty()) {
        throw AuthenticationException.invalid(
            "the token does not name its caller: it has no claim " + userClaim);
      }
      return new Principal(
          subject,
          claims.getIssuer(),
          claims.getAudience(),
          claims.getExpirationTime().toInstant().getEpochSecond(),
          claims.toString());
    } catch (BadJWTException e) {
      throw AuthenticationException.invalid(e.getMessage(), e);
    } catch (ParseException e) {
      throw AuthenticationException.invalid("the token has a claim of a wrong type", e);
    }
  }

  /** Until when a token of this caller is accepted, in milliseconds since the epoch. */
  long validUntilMs(Principal principal) {
    return principal.expiresAtS() * MS_PER_SECOND + skewMs;
  }
}
