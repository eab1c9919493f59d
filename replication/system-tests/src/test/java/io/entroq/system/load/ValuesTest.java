package io.entroq.system.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A value is known as that of its writer if it is whole, and else is not. */
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
