package io.entroq.console.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.Task;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueTextTest {
  private static final ValueMask MASK = ValueMask.of(List.of("/secret"));

  private static Task bytes(String text) {
    return Task.newBuilder().setRaw(ByteString.copyFromUtf8(text)).build();
  }

  @Test
  void shouldTellKindsOfValuesApart() {
    Task json = Task.newBuilder().setValue(ByteString.copyFrom(Values.ofJson("{\"a\":1}"))).build();
    assertThat(ValueText.of(json, ValueMask.NONE).kind()).startsWith("JSON, ");
    assertThat(ValueText.of(bytes("{\"a\":1}"), ValueMask.NONE).kind())
        .isEqualTo("bytes with JSON, 7 bytes");
    assertThat(ValueText.of(bytes("two\nlines"), ValueMask.NONE))
        .extracting(ValueText::kind, ValueText::text)
        .containsExactly("text, 9 bytes", "two\nlines");
    assertThat(ValueText.of(bytes("\u0000"), ValueMask.NONE).text()).startsWith("000000  00 ");
    assertThat(ValueText.of(bytes(""), ValueMask.NONE).kind()).isEqualTo("bytes, 0 bytes");
    assertThat(ValueText.of(Task.getDefaultInstance(), MASK).kind()).isEqualTo("no value");
  }

  @Test
  void shouldHideWhatAMaskCannotLookInto() {
    assertThat(ValueText.of(bytes("the secret"), MASK))
        .extracting(ValueText::kind, ValueText::text)
        .containsExactly("bytes, 10 bytes, hidden", "");
    assertThat(ValueText.of(bytes("{\"secret\":\"x\"}"), MASK).toString()).doesNotContain("\"x\"");
  }

  @Test
  void shouldCutLongValues() {
    assertThat(ValueText.of(bytes("x y".repeat(100_000)), ValueMask.NONE).text())
        .hasSizeLessThan(70_000)
        .endsWith("more is not shown");
    String hex = HexView.of(new byte[5_000]);
    assertThat(hex.lines()).hasSize(257);
    assertThat(hex).endsWith("904 more bytes are not shown");
    assertThat(HexView.of(new byte[] {'a', 0, -1}).stripTrailing())
        .isEqualTo("000000  61 00 ff" + " ".repeat(3 * 13) + "  a..");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ms",
    "999, 999 ms",
    "1000, 1 s",
    "1500, 1.5 s",
    "59999, 59 s",
    "61000, 1 min 1 s",
    "3600000, 1 h",
    "5400000, 1 h 30 min",
    "90000000, 1 d 1 h"
  })
  void shouldWriteDurations(long ms, String text) {
    assertThat(TimeText.duration(ms)).isEqualTo(text);
    assertThat(TimeText.relative(5_000_000_000L + ms, 5_000_000_000L))
        .isEqualTo(ms == 0 ? "now" : "in " + text);
    assertThat(TimeText.relative(5_000_000_000L - ms, 5_000_000_000L))
        .isEqualTo(ms == 0 ? "now" : text + " ago");
  }

  @Test
  void shouldNotSayThatSomethingHappensThatHasHappened() {
    assertThat(TimeText.ago(1_012, 1_000)).isEqualTo("now");
    assertThat(TimeText.ago(1_000, 1_012)).isEqualTo("12 ms ago");
  }

  @Test
  void shouldTakeTheFirstLineOfAnError() {
    assertThat(ErrText.line("\n  first \nsecond")).isEqualTo("first");
    assertThat(ErrText.line("")).isEmpty();
    assertThat(ErrText.line("x".repeat(500))).hasSize(161).endsWith("…");
    assertThat(TimeText.at(Long.MAX_VALUE)).isEqualTo("never");
  }
}
