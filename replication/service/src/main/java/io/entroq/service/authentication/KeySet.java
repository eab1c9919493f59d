package io.entroq.service.authentication;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Arrays;
import java.util.List;

/** The public keys of issuers that signatures may be verified with. Immutable. */
final class KeySet {
  /** Shorter ones can be broken. */
  private static final int RSA_BITS_MIN = 2_048;

  private final byte[] document;
  private final List<JWK> keys;

  private KeySet(byte[] document, List<JWK> keys) {
    this.document = document;
    this.keys = keys;
  }

  /**
   * Reads a JSON Web Key Set. Skips keys that do not serve here: shared secrets, short RSA keys,
   * and those for encryption or for other algorithms.
   *
   * @throws ParseException if it is not valid, or has no usable key
   */
  static KeySet parse(byte[] document, SignatureAlgorithms algorithms) throws ParseException {
    JWKSet all = JWKSet.parse(new String(document, StandardCharsets.UTF_8));
    List<JWK> usable = all.getKeys().stream().filter(key -> isUsable(key, algorithms)).toList();
    if (usable.isEmpty()) {
      throw new ParseException(
          "none of its %d keys verifies signatures by %s".formatted(all.size(), algorithms), 0);
    }
    return new KeySet(document, usable.stream().map(JWK::toPublicJWK).toList());
  }

  private static boolean isUsable(JWK key, SignatureAlgorithms algorithms) {
    boolean isForSignatures = key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
    boolean isStrong = !key.getKeyType().equals(KeyType.RSA) || key.size() >= RSA_BITS_MIN;
    boolean isKnown = !(key instanceof OctetKeyPair pair) || pair.getCurve().equals(Curve.Ed25519);
    return isForSignatures && isStrong && isKnown && algorithms.accept(key.getKeyType());
  }

  /** The keys that may have signed a token: by its algorithm, and by its key id if it has one. */
  List<JWK> candidates(JWSHeader header) {
    JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
    return keys.stream().filter(matcher::matches).toList();
  }

  boolean isFrom(byte[] other) {
    return Arrays.equals(document, other);
  }

  int size() {
    return keys.size();
  }
}
