package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPatternTest {
  @ParameterizedTest
  @CsvSource({
    "example.com,example.com,443,true,true",
    "Example.COM,example.com,443,true,true",
    "example.com,example.com,8443,false,false",
    "example.com:8443,example.com,8443,false,true",
    "example.com:443,example.com,443,true,true",
    "example.com:8443,example.com,443,true,false",
    "example.com,a.example.com,443,true,false",
    "example.com,badexample.com,443,true,false",
    "example.com,example.com.bad.org,443,true,false",
    "*.example.com,a.example.com,443,true,true",
    "*.example.com,a.b.example.com,443,true,true",
    "*.example.com,example.com,443,true,false",
    "*.example.com,badexample.com,443,true,false",
    "*,anything.org,80,true,true",
    "*,anything.org,81,false,false",
    "*:81,anything.org,81,false,true",
    "[::1]:81,[::1],81,false,true",
    "127.0.0.1,127.0.0.1,80,true,true"
  })
  void shouldMatch(String pattern, String host, int port, boolean isDefault, boolean expected) {
    assertThat(HostPattern.parse(pattern).matches(host, port, isDefault)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":80",
        ".example.com",
        "*example.com",
        "a*.example.com",
        "example..com",
        "example.com.",
        "http://example.com",
        "example.com/",
        "example.com:0",
        "example.com:65536",
        "example.com:",
        "user@example.com",
        "::1",
        "a b"
      })
  void shouldRefuseOtherTexts(String text) {
    assertThatThrownBy(() -> HostPattern.parse(text))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("'" + text + "' is not a host");
  }
}
