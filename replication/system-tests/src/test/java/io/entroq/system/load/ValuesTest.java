package io.entroq.system.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The writer is known only of an intact value. */
class ValuesTest {
  @Test
  void shouldKnowTheWriterOfAWholeValue() {
    for (int i = 0; i < 100; i++) {
      String op = "w1-" + i;
      String value = Values.of(op);
      assertThat(Values.writer(value)).isEqualTo(op);
      assertThat(Values.writer(value + "x")).isEqualTo("?");
      assertThat(Values.writer(value.substring(0, value.length() - 1))).isEqualTo("?");
    }
    assertThat(Values.writer("")).isEqualTo("?");
    assertThat(Values.writer("w1-1")).isEqualTo("?");
  }
}
