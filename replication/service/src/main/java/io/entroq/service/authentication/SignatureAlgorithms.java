package io.entroq.service.authentication;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.KeyType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The algorithms of signatures that are accepted, and so the types of keys. All of them have a
 * private and a public key: {@code none} and shared secrets are not among them.
 */
final class SignatureAlgorithms {
  /** What a type of keys can sign with. */
  private static final Map<KeyType, List<JWSAlgorithm>> BY_KEY_TYPE =
      Map.of(
          KeyType.RSA,
          List.of(
              JWSAlgorithm.RS256,
              JWSAlgorithm.RS384,
              JWSAlgorithm.RS512,
              JWSAlgorithm.PS256,
              JWSAlgorithm.PS384,
              JWSAlgorithm.PS512),
          KeyType.EC,
          List.of(JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512),
          KeyType.OKP,
          List.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519));

  private static final Map<String, List<JWSAlgorithm>> BY_NAME = new LinkedHashMap<>();

  static {
    for (KeyType type : List.of(KeyType.RSA, KeyType.EC, KeyType.OKP)) {
      BY_NAME.put(type.getValue(), BY_KEY_TYPE.get(type));
    }
    for (KeyType type : List.of(KeyType.RSA, KeyType.EC, KeyType.OKP)) {
      BY_KEY_TYPE.get(type).forEach(one -> BY_NAME.put(one.getName(), List.of(one)));
    }
  }

  private final Set<JWSAlgorithm> accepted = new LinkedHashSet<>();

  private SignatureAlgorithms() {}

  /**
   * @param names of algorithms, such as RS256, or of types of keys for all of their algorithms:
   *     RSA, EC or OKP; separated by commas
   * @throws IllegalArgumentException if a name is unknown, or there is none
   */
  static SignatureAlgorithms of(String names) {
    SignatureAlgorithms algorithms = new SignatureAlgorithms();
    Arrays.stream(names.split(",", -1)).map(String::trim).forEach(algorithms::add);
    return algorithms;
  }

  private void add(String name) {
    List<JWSAlgorithm> named = BY_NAME.get(name);
    if (named == null) {
      throw new IllegalArgumentException(
          "'%s': expected %s; none and shared secrets (HS256) are never accepted"
              .formatted(name, String.join(", ", BY_NAME.keySet())));
    }
    accepted.addAll(named);
  }

  boolean accept(JWSAlgorithm algorithm) {
    return accepted.contains(algorithm);
  }

  /** Whether keys of a type can sign with any of them. */
  boolean accept(KeyType type) {
    return BY_KEY_TYPE.getOrDefault(type, List.of()).stream().anyMatch(accepted::contains);
  }

  @Override
  public String toString() {
    return accepted.stream().map(JWSAlgorithm::getName).collect(Collectors.joining(", "));
  }
}
