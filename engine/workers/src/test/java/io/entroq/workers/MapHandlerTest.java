package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Value;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MapHandlerTest extends WorkersTestBase {
  private static MapHandler<String> upper(Results results) {
    return MapHandler.of(String.class, text -> text.toUpperCase(Locale.ROOT), results);
  }

  @Test
  void shouldInsertTheMappedValueAndDeleteTheTask() throws Exception {
    insert("{\"val\":\"a\",\"unknown\":[]}");
    work(upper(Results.standard()));
    assertThat(result("in/done").toString()).isEqualTo("{\"val\":\"A\",\"err\":\"\"}");
  }

  @Test
  void shouldUseTheOutbox() throws Exception {
    insert("{\"val\":\"a\",\"outbox\":\"out\"}");
    work(upper(Results.to("out")));
    assertThat(result("out").get("val").textValue()).isEqualTo("A");
  }

  @Test
  void shouldInsertTheReasonOfAFailure() throws Exception {
    insert("{\"val\":null}");
    work(upper(Results.standard()));
    JsonNode result = result("in/error");
    assertThat(result.get("val").isNull()).isTrue();
    assertThat(result.get("err").textValue()).contains("null");
  }

  @Test
  void shouldRepeatFailedWorkAsOftenAsAskedFor() throws Exception {
    insert("{\"val\":null}");
    MapHandler<String> handler = upper(Results.standard().withRetries(2).withErrbox("bad"));
    for (int attempt = 1; attempt <= 2; attempt++) {
      work(handler);
      assertThat(only("in").attempt()).isEqualTo(attempt);
      queue.advance(RETRY_DELAY);
    }
    work(handler);
    assertThat(result("bad").get("err").textValue()).contains("null");
  }

  @Test
  void shouldQuarantineATaskThatNamesQueuesItMayNotName() throws Exception {
    insert("{\"val\":\"a\",\"outbox\":\"other\"}");
    work(upper(Results.standard()));
    assertQuarantined("the task names the outbox other, which this worker does not allow; its");
    insert("{\"val\":\"a\",\"errbox\":\"other\"}");
    work(upper(Results.standard()));
    assertQuarantined("the task names the errbox other");
  }

  @Test
  void shouldUseQueuesThatTasksMayName() throws Exception {
    insert("{\"val\":\"a\",\"outbox\":\"other\"}");
    work(upper(Results.standard().namedByTasksToo()));
    assertThat(result("other").get("val").textValue()).isEqualTo("A");
  }

  @Test
  void shouldQuarantineATaskThatNamesNoPossibleQueue() throws Exception {
    insert("{\"val\":\"a\",\"outbox\":\"%s\"}".formatted("x".repeat(1_025)));
    work(upper(Results.standard().namedByTasksToo()));
    assertQuarantined("the task names an invalid outbox: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]|must be an object in JSON, is an array",
        "\"a\"|is a string",
        "7|is a number",
        "null|is null",
        "true|is a boolean",
        "{\"val\":7}|cannot decode the value",
        "{\"val\":{}}|cannot decode the value",
        "{\"val\":\"a\",\"outbox\":7}|cannot decode the value",
      })
  void shouldQuarantineOtherValues(String json, String reason) throws Exception {
    insert(json);
    work(upper(Results.standard()));
    assertQuarantined(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{} {}", "{\"val\":\"a\",\"val\":\"b\"}", "\0"})
  void shouldQuarantineWhatIsNotJson(String text) throws Exception {
    insert(Value.bytes(text.getBytes(StandardCharsets.UTF_8)));
    work(upper(Results.standard()));
    assertQuarantined("the value");
  }

  @Test
  void shouldQuarantineATaskWithoutAValue() throws Exception {
    insert(Insert.into("in"));
    work(upper(Results.standard()));
    assertQuarantined("absent");
  }

  @Test
  void shouldKeepLongIntegers() throws Exception {
    insert(Value.bytes("{\"val\":9007199254740993}".getBytes(StandardCharsets.UTF_8)));
    work(MapHandler.of(JsonNode.class, value -> value, Results.standard()));
    assertThat(result("in/done").get("val").longValue()).isEqualTo(9_007_199_254_740_993L);
  }

  @Test
  void shouldQuarantineATaskWhoseResultIsTooLarge() throws Exception {
    insert("{\"val\":\"a\"}");
    work(MapHandler.of(String.class, text -> text.repeat(1 << 20), Results.standard()));
    assertQuarantined("the result has 1,048,595 bytes; at most 1,048,576 can be inserted");
  }

  @Test
  void shouldRefuseImpossibleResults() {
    assertThatThrownBy(() -> Results.to("")).isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> Results.standard().withErrbox("x".repeat(2_000)))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> Results.standard().withRetries(-1)).hasMessageContaining("is -1");
    assertThatThrownBy(() -> Results.standard().withRetries(1_001)).hasMessageContaining("1001");
  }
}
