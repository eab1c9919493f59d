package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
  private final DurationConverter converter = new DurationConverter();

  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "30, PT30S",
    "0.25, PT0.25S",
    "1m30s, PT1M30S",
    "1.5h, PT1H30M",
    "250ms, PT0.25S",
    "10us, PT0.00001S",
    "10µs, PT0.00001S",
    "7ns, PT0.000000007S",
    "2d12h, PT60H",
    ".5s, PT0.5S",
  })
  void shouldReadTimeSpans(String text, Duration expected) {
    assertThat(converter.convert(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "-1", "-1s", "1m 30s", "30 s", "1x", "s", "1m30", "1h-5m", "NaN"})
  void shouldRefuseWhatIsNone(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is not a duration; write seconds, or");
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999999", "9999999d", "200000h200000d"})
  void shouldRefuseWhatIsTooLong(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is too long; at most 292 years");
  }
}
