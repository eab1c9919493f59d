package io.entroq.service.authentication;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** Issues tokens, signed by real keys. */
public final class TestIssuer {
  public static final String NAME = "https://issuer.example";
  public static final String AUDIENCE = "entroq-test";

  /** Generated once, as that takes long. */
  public static final RSAKey RSA = rsa("rsa-1", 2_048);

  static final RSAKey OTHER_RSA = rsa("rsa-2", 2_048);
  static final ECKey EC = ec("ec-1", Curve.P_256);

  private TestIssuer() {}

  static RSAKey rsa(String id, int bits) {
    try {
      return new RSAKeyGenerator(bits, true).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  static ECKey ec(String id, Curve curve) {
    try {
      return new ECKeyGenerator(curve).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  /** A configuration for its tokens, except where the keys are. */
  public static AuthenticationConfig.Builder config() {
    return AuthenticationConfig.builder(NAME, Set.of("somebody-else", AUDIENCE));
  }

  /** The document with the public keys. */
  public static String document(JWK... keys) {
    return new JWKSet(List.of(keys)).toString();
  }

  /** The claims of a valid token for an hour. */
  public static JWTClaimsSet.Builder claims(String subject) {
    return claims(subject, Instant.now());
  }

  static JWTClaimsSet.Builder claims(String subject, Instant now) {
    return new JWTClaimsSet.Builder()
        .subject(subject)
        .issuer(NAME)
        .audience(AUDIENCE)
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(3_600)))
        .claim("role", "worker");
  }

  /** A valid token for an hour, as the value of an Authorization header. */
  public static String bearerOf(String subject) {
    return bearer(sign(RSA, JWSAlgorithm.RS256, claims(subject).build()));
  }

  static String bearer(String token) {
    return "Bearer " + token;
  }

  static JWSHeader.Builder header(JWK key, JWSAlgorithm algorithm) {
    return new JWSHeader.Builder(algorithm).keyID(key.getKeyID());
  }

  static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
    return sign(key, header(key, algorithm).build(), claims);
  }

  static String sign(JWK key, JWSHeader header, JWTClaimsSet claims) {
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(
          key instanceof RSAKey rsa
              ? new RSASSASigner(rsa, Set.of(AllowWeakRSAKey.getInstance()))
              : new ECDSASigner((ECKey) key));
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
    return token.serialize();
  }

  /** A key of the JDK, since the library has none of this type without another one. */
  record Ed25519(OctetKeyPair published, KeyPair pair) {
    static Ed25519 generate(String id) throws GeneralSecurityException {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] point = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
      return new Ed25519(
          new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(point)).keyID(id).build(), pair);
    }

    String sign(JWTClaimsSet claims) throws GeneralSecurityException {
      SignedJWT token = new SignedJWT(header(published, JWSAlgorithm.EdDSA).build(), claims);
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(pair.getPrivate());
      signature.update(token.getSigningInput());
      return new String(token.getSigningInput(), java.nio.charset.StandardCharsets.US_ASCII)
          + "."
          + Base64URL.encode(signature.sign());
    }
  }
}
