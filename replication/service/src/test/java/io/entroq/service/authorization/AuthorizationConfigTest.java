package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid configurations. */
class AuthorizationConfigTest {
  @Test
  void shouldJoinUrlAndPath() {
    assertThat(config("http://localhost:8181", "/a/b", Duration.ofSeconds(1)).policy())
        .hasToString("http://localhost:8181/a/b");
    assertThat(config("HTTPS://opa.example/x/", "/a", Duration.ofSeconds(1)).policy())
        .hasToString("HTTPS://opa.example/x/a");
    assertThat(AuthorizationConfig.NONE.policy())
        .hasToString("http://localhost:8181/v1/data/entroq/authz");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost:8181", "ftp://localhost", "http://", "http:///x", "a b"})
  void shouldRejectInvalidUrls(String url) {
    assertThatThrownBy(() -> config(url, "/a", Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRejectInvalidPathsAndTimeouts() {
    assertThatThrownBy(() -> config("http://a", "a", Duration.ofSeconds(1)))
        .hasMessageContaining("path of the policy");
    assertThatThrownBy(() -> config("http://a", "/a", Duration.ZERO))
        .hasMessageContaining("timeout of the authorizer");
    assertThatThrownBy(() -> config("http://a", "/a", Duration.ofSeconds(-1)))
        .hasMessageContaining("timeout of the authorizer");
  }

  private static AuthorizationConfig config(String url, String path, Duration timeout) {
    return new AuthorizationConfig(
        AuthorizationConfig.Mode.OPAHTTP, url, path, timeout, true, false);
  }
}
