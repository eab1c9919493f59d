package io.entroq.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueCodecTest {
  /** An object to be encoded. */
  record Order(String item, long number) {}

  private static Value utf8(String text) {
    return Value.bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final Value NOT_UTF8 = Value.bytes(new byte[] {(byte) 0xc3, 0x28});

  @Test
  void shouldPassRawValues() {
    Value value = Value.json("[1]");

    assertThat(ValueCodec.raw().decode(value)).isSameAs(value);
    assertThat(ValueCodec.raw().encode(value)).isSameAs(value);
  }

  @Test
  void shouldCarryBytes() {
    byte[] bytes = {0, -1, 7};

    assertThat(ValueCodec.bytes().decode(ValueCodec.bytes().encode(bytes))).isEqualTo(bytes);
    assertThat(ValueCodec.bytes().decode(Value.absent())).isEmpty();
    assertThatThrownBy(() -> ValueCodec.bytes().decode(Value.json("1")))
        .isInstanceOf(EntroQException.Codec.class)
        .hasMessageContaining("JSON");
  }

  @Test
  void shouldCarryText() {
    assertThat(ValueCodec.text().decode(ValueCodec.text().encode("Grüße 🚀")))
        .isEqualTo("Grüße 🚀");
    assertThat(ValueCodec.text().encode("é")).isEqualTo(Value.json("\"é\""));
    assertThat(ValueCodec.text().decode(Value.absent())).isEmpty();
    assertThat(ValueCodec.text().decode(utf8("é"))).isEqualTo("é");
    assertThat(ValueCodec.text().decode(Value.json("{ \"a\" : 1.0 }"))).isEqualTo("{\"a\":1}");
    assertThatThrownBy(() -> ValueCodec.text().decode(NOT_UTF8))
        .isInstanceOf(EntroQException.Codec.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void shouldCarryObjectsAsJson() {
    ValueCodec<Order> codec = JacksonCodec.of(Order.class);
    Order order = new Order("tea", Long.MAX_VALUE);

    Value value = codec.encode(order);

    assertThat(value).isEqualTo(utf8("{\"item\":\"tea\",\"number\":9223372036854775807}"));
    assertThat(codec.decode(value)).isEqualTo(order);
    assertThat(codec.decode(Value.json("{\"number\": 3, \"item\": \"tea\"}")))
        .isEqualTo(new Order("tea", 3));
  }

  /** An object with times. */
  record Reminder(Instant at, Duration before, LocalDate day) {}

  @Test
  void shouldCarryTimesAsText() {
    Reminder reminder =
        new Reminder(
            Instant.parse("2026-03-01T10:15:30.123456789Z"),
            Duration.ofMinutes(90),
            LocalDate.of(2026, 3, 1));

    Value value = ValueCodec.toJson(reminder);

    assertThat(value.asText())
        .isEqualTo(
            "{\"at\":\"2026-03-01T10:15:30.123456789Z\",\"before\":\"PT1H30M\","
                + "\"day\":\"2026-03-01\"}");
    assertThat(ValueCodec.json(Reminder.class).decode(value)).isEqualTo(reminder);
  }

  @Test
  void shouldSayWhatCannotBeEncoded() {
    assertThatThrownBy(() -> ValueCodec.toJson(new Object()))
        .isInstanceOf(EntroQException.Codec.class)
        .hasMessageContaining("java.lang.Object");
  }

  @Test
  void shouldCarryTypesWithParameters() {
    ValueCodec<List<Order>> codec = JacksonCodec.of(new TypeReference<List<Order>>() {});
    List<Order> orders = List.of(new Order("tea", 1), new Order("milk", 2));

    assertThat(codec.decode(codec.encode(orders))).isEqualTo(orders);
  }

  @Test
  void shouldRefuseWhatIsNotTheObject() {
    ValueCodec<Order> codec = JacksonCodec.of(Order.class);
    for (Value value :
        List.of(
            Value.absent(),
            utf8(""),
            utf8("{"),
            utf8("{\"item\":\"tea\",\"number\":1} {}"),
            utf8("{\"colour\":1}"),
            Value.json("[1]"),
            NOT_UTF8)) {
      assertThatThrownBy(() -> codec.decode(value)).isInstanceOf(EntroQException.Codec.class);
    }
  }

  @Test
  void shouldRefuseWhatHasNoJson() {
    ValueCodec<Object> codec = JacksonCodec.of(Object.class);

    assertThatThrownBy(() -> codec.encode(new Object())).isInstanceOf(EntroQException.Codec.class);
  }
}
