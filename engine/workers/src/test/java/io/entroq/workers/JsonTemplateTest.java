package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTemplateTest {
  private static final String VALUE = "{\"user\":{\"name\":\"Ada\",\"tags\":[1,2]},\"a/b\":true}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"$/user/name\"|\"Ada\"",
        "\"$\"|{\"user\":{\"name\":\"Ada\",\"tags\":[1,2]},\"a/b\":true}",
        "{\"n\":\"$/user/name\",\"t\":[\"$/user/tags/1\",\"x\"]}|{\"n\":\"Ada\",\"t\":[2,\"x\"]}",
        "\"$/a~1b\"|true",
        "\"$$/user\"|\"$/user\"",
        "{\"$\":1}|{\"$\":1}",
        "7|7",
        "null|null",
      })
  void shouldFillPointers(String template, String mapped) throws IOException {
    Object result = JsonTemplate.parse(template).map(Json.MAPPER.readTree(VALUE));
    assertThat(result).isEqualTo(Json.MAPPER.readTree(mapped));
  }

  @Test
  void shouldFailWhereThereIsNothing() {
    JsonTemplate template = JsonTemplate.parse("{\"n\":\"$/user/age\"}");
    assertThatThrownBy(() -> template.map(Json.MAPPER.readTree(VALUE)))
        .hasMessage("the value has nothing at /user/age");
    assertThatThrownBy(() -> template.map(null)).hasMessageContaining("nothing at /user/age");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "{", "{} []", "\"$user\"", "[{\"x\":\"$a/b\"}]", "{'a':1}"})
  void shouldRefuseAnotherTemplate(String template) {
    assertThatThrownBy(() -> JsonTemplate.parse(template))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("template");
  }
}
