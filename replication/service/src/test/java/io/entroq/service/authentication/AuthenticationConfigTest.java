package io.entroq.service.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid configurations. */
class AuthenticationConfigTest {
  private static final Optional<Path> FILE = Optional.of(Path.of("x"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://issuer.example/keys",
        "http://localhost:8080/keys",
        "http://127.0.0.1/keys",
        "http://[::1]:80/keys"
      })
  void shouldAcceptSafeUrls(String url) {
    assertThat(config().jwksUrl(Optional.of(URI.create(url))).build().jwksUrl())
        .contains(URI.create(url));
  }

  /** Whoever is on the way could send keys of its own, and thereby issue tokens. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://issuer.example/keys",
        "http://10.0.0.1/keys",
        "http://localhost.example/keys",
        "https://user:password@issuer.example/keys",
        "file:///tmp/keys",
        "https:///keys",
        "keys"
      })
  void shouldRejectUnsafeUrls(String url) {
    assertThatThrownBy(() -> config().jwksUrl(Optional.of(URI.create(url))).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("URL of keys");
  }

  @Test
  void shouldNeedOnePlaceOfKeys() {
    assertThatThrownBy(() -> config().build()).hasMessageContaining("either");
    assertThatThrownBy(
            () -> config().jwksUrl(Optional.of(URI.create("https://a"))).jwksFile(FILE).build())
        .hasMessageContaining("either");
    assertThatThrownBy(() -> config().jwksFile(FILE).jwksTokenFile(FILE).build())
        .hasMessageContaining("only with a URL");
    assertThatThrownBy(() -> config().jwksFile(FILE).caFile(FILE).build())
        .hasMessageContaining("only with a URL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "none", "HS256", "RS256,HS512", "rs256", "RS256,", "oct", "ES256K"})
  void shouldRejectUnsafeAlgorithms(String algorithms) {
    assertThatThrownBy(() -> config().jwksFile(FILE).algorithms(algorithms).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected RSA, EC, OKP, RS256,");
  }

  @Test
  void shouldRejectWhatWouldAcceptAnything() {
    assertThatThrownBy(() -> AuthenticationConfig.builder("", Set.of("a")).jwksFile(FILE).build())
        .hasMessageContaining("issuer");
    for (Set<String> audience : Set.of(Set.<String>of(), Set.of("a", ""))) {
      assertThatThrownBy(() -> AuthenticationConfig.builder("i", audience).jwksFile(FILE).build())
          .hasMessageContaining("audience");
    }
    assertThatThrownBy(() -> config().jwksFile(FILE).userClaim("").build())
        .hasMessageContaining("claim");
    assertThatThrownBy(() -> config().jwksFile(FILE).clockSkew(Duration.ofSeconds(-1)).build())
        .hasMessageContaining("skew");
    assertThatThrownBy(() -> config().jwksFile(FILE).tokenCache(Duration.ofSeconds(1), 0).build())
        .hasMessageContaining("token");
    assertThatThrownBy(() -> config().jwksFile(FILE).jwksCacheTtl(Duration.ZERO).build())
        .hasMessageContaining("lifetime");
    assertThatThrownBy(() -> config().jwksFile(FILE).jwksRefreshInterval(Duration.ZERO).build())
        .hasMessageContaining("interval");
    assertThatThrownBy(() -> config().jwksFile(FILE).httpTimeout(Duration.ZERO).build())
        .hasMessageContaining("timeout");
  }

  private static AuthenticationConfig.Builder config() {
    return AuthenticationConfig.builder("i", Set.of("a"));
  }
}
