package io.entroq.api.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of positions. */
class FeedPositionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "731",
        "731-0",
        "731-2@00ff",
        "9223372036854775807@x@y",
        "731-2@00ff.17",
        "731@x.y.17"
      })
  void shouldKeepItsText(String text) {
    assertThat(FeedPosition.of(text).text()).isEqualTo(text).isEqualTo("" + FeedPosition.of(text));
  }

  @Test
  void shouldHaveWhatItsTextSays() {
    assertThat(FeedPosition.of("731-2@00ff")).isEqualTo(new FeedPosition(731, 2, "00ff", 0));
    assertThat(FeedPosition.of("731@00ff.17"))
        .isEqualTo(new FeedPosition(731, FeedPosition.WHOLE_STEP, "00ff", 17));
    assertThat(FeedPosition.of("731")).isEqualTo(FeedPosition.after(731));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "1-",
        "1-x",
        "1@",
        "1.5",
        "1@x.9223372036854775808",
        "9223372036854775808",
        "1-9999999999",
        "1 "
      })
  void shouldRefuseWhatIsNone(String text) {
    assertThatThrownBy(() -> FeedPosition.of(text))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("\"" + text + "\"");
  }

  @Test
  void shouldRefuseNegativeNumbers() {
    assertThatThrownBy(() -> FeedPosition.after(-1))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> new FeedPosition(1, -1, "", 0))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> new FeedPosition(1, 1, "x", -1))
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }
}
