package io.entroq.server.cli.queue.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hints for the errors of real connections. */
class ConnectionHintTest {
  private static final ConnectionHint HINT = new ConnectionHint("-s", "-S", "--");
  private static final String HTTP =
      "there:1 seems to be a server's HTTP port; -s needs its gRPC port, 37706 by default";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http2 exception: First received frame was not SETTINGS. Hex dump for first 5 bytes: 485454502f",
        "UNAVAILABLE: io exception: not an SSL/TLS record: 485454502f312e312034303020426164",
        "UNAVAILABLE: Failed ALPN negotiation: Unable to find compatible protocol",
      })
  void shouldRecognizeHttpPortWithOrWithoutTls(String failure) {
    assertThat(HINT.of("there:1", false, failure)).contains(HTTP);
  }

  @Test
  void shouldRecognizeTlsOnOneSideOnly() {
    assertThat(HINT.of("there:1", true, "io exception: not an SSL/TLS record: 000012040000000000"))
        .contains("there:1 does not use TLS; omit -S and --tls-ca");
    assertThat(HINT.of("there:1", false, "UNAVAILABLE: Network closed for unknown reason"))
        .contains(
            "there:1 closes connections at once, as a server that requires TLS does; try -S and"
                + " --tls-ca");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UNAVAILABLE: io exception: Connection refused: there/127.0.0.1:1",
        "UNAVAILABLE: io exception: General OpenSslEngine problem",
        "First received frame was not SETTINGS. Hex dump for first 5 bytes: 5353482d32",
      })
  void shouldGiveNoHintForOtherFailures(String failure) {
    assertThat(HINT.of("there:1", false, failure)).isEmpty();
  }

  @Test
  void shouldRecognizeUnknownHost() {
    assertThat(HINT.of("there:1", false, "UNAVAILABLE: Unable to resolve host there: there"))
        .contains("the host name in there:1 is unknown; check -s and DNS");
  }

  @Test
  void shouldSayWhatIsWrongWithTheCertificate() {
    String problem = "io exception: General OpenSslEngine problem: ";
    assertThat(
            HINT.of(
                "there:1",
                true,
                problem + "unable to find valid certification path to requested target"))
        .hasValueSatisfying(
            hint -> assertThat(hint).contains("there:1 is not trusted", "--tls-ca"));
    assertThat(
            HINT.of(
                "there:1", true, problem + "No subject alternative DNS name matching there found."))
        .hasValueSatisfying(
            hint ->
                assertThat(hint)
                    .contains("is for another host: No subject alternative DNS name", "Give -s"));
    assertThat(HINT.of("there:1", true, problem + "NotAfter: Mon Jan 01 00:00:00 GMT 2024"))
        .hasValueSatisfying(
            hint -> assertThat(hint).contains("is not valid now: NotAfter: Mon Jan 01"));
    assertThat(HINT.of("there:1", true, "SSL routines:TLSV1_ALERT_CERTIFICATE_REQUIRED"))
        .hasValueSatisfying(hint -> assertThat(hint).contains("--tls-cert and --tls-key"));
  }

  @Test
  void shouldNotSuggestTlsThatIsInUse() {
    assertThat(HINT.of("there:1", true, "UNAVAILABLE: Network closed for unknown reason"))
        .isEmpty();
  }
}
