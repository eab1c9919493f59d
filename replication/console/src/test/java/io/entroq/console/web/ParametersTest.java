package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ParametersTest {
  @Test
  void shouldKeepAllValues() {
    Parameters parameters = Parameters.of("a=1&b=&a=2&c");
    assertThat(parameters.all("a")).containsExactly("1", "2");
    assertThat(parameters.text("a")).isEqualTo("1");
    assertThat(parameters.find("b")).contains("");
    assertThat(parameters.find("c")).contains("");
    assertThat(parameters.find("d")).isEmpty();
  }

  @Test
  void shouldReadNumbersWithinBounds() {
    Parameters parameters = Parameters.of("a=7&b=x&c=+7+");
    assertThat(parameters.number("a", 1, 0, 7)).isEqualTo(7);
    assertThat(parameters.number("c", 1, 0, 7)).isEqualTo(7);
    assertThat(parameters.number("d", 1, 0, 7)).isEqualTo(1);
    assertThatThrownBy(() -> parameters.number("a", 1, 0, 6))
        .hasMessage("a: expected a number from 0 to 6, got 7");
    assertThatThrownBy(() -> parameters.number("b", 1, 0, 6)).isInstanceOf(PageException.class);
  }

  @Test
  void shouldRefuseWhatCannotBeDecoded() {
    assertThatThrownBy(() -> Parameters.of("a=%zz")).isInstanceOf(PageException.class);
    assertThatThrownBy(() -> Parameters.of("a&".repeat(1_001))).hasMessageContaining("1,000");
  }
}
