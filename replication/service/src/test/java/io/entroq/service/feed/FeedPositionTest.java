package io.entroq.service.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.service.translation.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedPositionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "12",
        "12-0",
        "9223372036854775807-2147483646",
        "3@00112233445566778899aabbccddeeff",
        "3-4@f0112233445566778899aabbccddeeff",
        "3-4@f0112233445566778899aabbccddeeff.1700000000000",
        "3@f0112233445566778899aabbccddeeff.1"
      })
  void shouldReadWhatItWrites(String text) {
    assertThat(FeedPosition.of("position", text).text()).isEqualTo(text);
  }

  @Test
  void shouldKeepTheIdOfTheLog() {
    FeedPosition position = FeedPosition.of("position", ScriptedFeed.position("5"));
    assertThat(position)
        .isEqualTo(
            new FeedPosition(5, FeedPosition.WHOLE_STEP, ScriptedFeed.LOG, ScriptedFeed.TIME_MS));
    assertThat(FeedPosition.logId(FeedPosition.bytes(ScriptedFeed.LOG)))
        .isEqualTo(ScriptedFeed.LOG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "1-",
        "1-x",
        "1.5",
        " 1",
        "1@",
        "1@0011",
        "9223372036854775808",
        "1-2147483648",
        "1@00112233445566778899aabbccddeeff0",
        "1@g0112233445566778899aabbccddeeff",
        "1@00112233445566778899aabbccddeeff.",
        "1@00112233445566778899aabbccddeeff.x",
        "1@00112233445566778899aabbccddeeff.9223372036854775808",
        "1.1700000000000",
        "1\n"
      })
  void shouldRefuseWhatIsNone(String text) {
    assertThatThrownBy(() -> FeedPosition.of("position", text))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("position: not a position: ");
  }
}
