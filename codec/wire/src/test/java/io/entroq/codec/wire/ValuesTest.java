package io.entroq.codec.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  private static final int VALUES = 2_000;
  private static final int MUTATED_VALUES = 100;

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static Value list(Value... values) {
    return Value.newBuilder()
        .setListValue(ListValue.newBuilder().addAllValues(Arrays.asList(values)))
        .build();
  }

  private static Value struct(String key, Value value) {
    return Value.newBuilder().setStructValue(Struct.newBuilder().putFields(key, value)).build();
  }

  private static void check(byte[] bytes) {
    Values.check(bytes, 0, bytes.length);
  }

  private static void assertInvalid(Value value, String message) {
    assertThatThrownBy(() -> check(value.toByteArray()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(message);
  }

  @Test
  void shouldLetEveryKindPass() throws IOException {
    Random random = Seeds.random("values");
    for (int i = 0; i < VALUES; i++) {
      byte[] bytes = randomValue(random, 0).toByteArray();
      check(bytes);
      Values.check(ByteString.copyFrom(bytes));
      Values.check(
          ByteString.copyFrom(bytes, 0, bytes.length / 2)
              .concat(
                  ByteString.copyFrom(bytes, bytes.length / 2, bytes.length - bytes.length / 2)));
    }
  }

  @Test
  void shouldNamePathAndOffsetOfWhatIsWrong() {
    assertInvalid(number(Double.NaN), "value at 9: NaN is not a JSON number");
    assertInvalid(
        struct("a", list(number(1), number(Double.NEGATIVE_INFINITY))),
        "value.a[1] at 33: -Infinity is not a JSON number");
    assertInvalid(Value.getDefaultInstance(), "value at 0: a Value without a kind");
    assertInvalid(list(Value.getDefaultInstance()), "value[0] at 4: a Value without a kind");
    assertInvalid(
        struct("k", list(number(1), struct("deep", Value.getDefaultInstance()))),
        "value.k[1].deep at 36: a Value without a kind");
  }

  @ParameterizedTest
  @CsvSource({
    "1a02c328, not UTF-8", // a string
    "1a03eda080, not UTF-8", // a surrogate
    "1a02c080, not UTF-8", // an overlong form
    "2a080a060a01ff12020800, not UTF-8", // a key
    "1a05, truncated: length 5 with 0 bytes left",
    "11000000, truncated",
    "08, truncated",
    "08ffffffffffffffffffff01, varint of more than 10 bytes",
    "08000800, a Value with two kinds",
    "09, unexpected field 1 of wire type 1",
    "0b, unexpected field 1 of wire type 3",
    "00, no field number in tag 0",
    "200138c801, unknown field 7", // after true
    "3200380a, unknown field 7", // after a list
    "32021801, unknown field 3", // in a list
    "2a021001, unknown field 2", // in an object
    "2a0b0a090a0161120220011801, unknown field 3", // in a member
    "2a050a030a0161, a member without a value",
    "2a0d0a0b0a01611202080012020800, unexpected field 2 of wire type 2",
  })
  void shouldRefuseBytesThatAreNoValue(String hex, String problem) {
    assertThatThrownBy(() -> check(HexFormat.of().parseHex(hex)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageEndingWith(problem);
  }

  @Test
  void shouldBoundDepthAndSize() {
    assertThatCode(() -> check(nested(Limits.VALUE_DEPTH_MAX).toByteArray()))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check(nested(Limits.VALUE_DEPTH_MAX + 1).toByteArray()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageEndingWith("nested deeper than 100");
    Values.checkSize(10, 10);
    assertThatThrownBy(() -> Values.checkSize(11, 10))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("value: 11 bytes, the limit is 10");
  }

  private static Value nested(int depth) {
    Value value = number(1);
    for (int i = 0; i < depth; i++) {
      value = i % 2 == 0 ? list(value) : struct("k", value);
    }
    return value;
  }

  @Test
  void shouldAcceptOnlyWhatProtobufAcceptsWhereBytesAreDamaged() throws IOException {
    Random random = Seeds.random("damaged values");
    for (int i = 0; i < MUTATED_VALUES; i++) {
      byte[] bytes = randomValue(random, 0).toByteArray();
      for (int bit = 0; bit < Math.min(8 * bytes.length, 4000); bit++) {
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        assertSameAsProtobuf(bytes);
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      }
      for (int length = 0; length < Math.min(bytes.length, 500); length++) {
        assertSameAsProtobuf(Arrays.copyOf(bytes, length));
      }
    }
  }

  private static void assertSameAsProtobuf(byte[] bytes) throws IOException {
    try {
      check(bytes);
    } catch (InvalidValueException e) {
      assertThat(e.getMessage()).startsWith("value");
      return;
    }
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    in.setRecursionLimit(1000);
    Value parsed = Value.parseFrom(in);
    // What passed the check can be printed, and says what protobuf reads.
    byte[] again = Values.ofJson(Values.toJson(bytes));
    assertThat(withoutUnknown(Value.parseFrom(again))).isEqualTo(withoutUnknown(parsed));
  }

  private static String withoutUnknown(Value value) {
    return Values.toJson(value.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1.5",
        "1e+21",
        "\"\"",
        "\"<>&\u2028 é \uD83D\uDE00 /\"",
        "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\"",
        "[]",
        "{}",
        "[1,[2,[]],{\"a\":null}]",
        "{\"a\":1,\"b\":{\"c\":[true,false]}}",
      })
  void shouldPrintJsonAsItWasRead(String json) {
    assertThat(Values.toJson(Values.ofJson(json))).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"b\":1,\"a\":2} | {\"a\":2,\"b\":1}",
        "[ 1 , 2.0 ] | [1,2]",
        "\"\\u00e9\\/\" | \"é/\"",
        "123456789012345678 | 123456789012345680",
        "1E3 | 1000",
        "1e-400 | 0",
      })
  void shouldPrintJsonInOneForm(String json, String printed) {
    assertThat(Values.toJson(Values.ofJson(json))).isEqualTo(printed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "nul",
        "NaN",
        "[1,]",
        "{a:1}",
        "{'a':1}",
        "{\"a\":1,}",
        "01",
        "+1",
        ".5",
        "1.",
        "1 2",
        "[1]]",
        "[",
        "{\"a\":1,\"a\":2}",
        "\"\\ud800\"",
        "\"\\x\"",
        "// c\n1",
        "\uFEFF1",
        "\"\n\"",
        "1e400",
        "[1e400]",
        "{\"a\":",
        "{\"\\udc00\":1}",
      })
  void shouldRefuseWhatIsNotJson(String json) {
    assertThatThrownBy(() -> Values.ofJson(json)).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void shouldBoundTheDepthOfJson() {
    String deep = "[".repeat(100) + "]".repeat(100);
    assertThat(Values.toJson(Values.ofJson(deep))).isEqualTo(deep);
    assertThatThrownBy(() -> Values.ofJson("[" + deep + "]"))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void shouldPrintTheLastOfMembersWithOneKey() {
    UnaryOperator<byte[]> member = bytes -> concat(new byte[] {0x0A, (byte) bytes.length}, bytes);
    byte[] first = member.apply(HexFormat.of().parseHex("0a016112020800"));
    byte[] second = member.apply(HexFormat.of().parseHex("0a016112022001"));
    byte[] members = concat(first, second);
    byte[] value = concat(new byte[] {0x2A, (byte) members.length}, members);
    check(value);
    assertThat(Values.toJson(value)).isEqualTo("{\"a\":true}");
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Test
  void shouldReadBytesInV1AsJsonOrElseAsBase64() {
    assertThat(Values.toJson(Values.toV1("{\"a\": 1}".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("{\"a\":1}");
    assertThat(Values.toJson(Values.toV1(new byte[] {1, 2, 3}))).isEqualTo("\"AQID\"");
    assertThat(Values.toJson(Values.toV1(new byte[] {(byte) 0xFF}))).isEqualTo("\"/w==\"");
    assertThat(Values.toJson(Values.toV1(new byte[0]))).isEqualTo("\"\"");
    assertThat(Values.toJson(Values.toV1("1e400".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("\"MWU0MDA=\"");
  }

  @Test
  void shouldReadJsonInV0AsText() {
    byte[] text = Values.toV0(struct("é", number(1)).toByteArray());
    assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo("{\"é\":1}");
  }

  private static Value randomValue(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 4 : 6)) {
      case 0 -> Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
      case 1 -> number(random.nextBoolean() ? random.nextInt(1000) : random.nextGaussian());
      case 2 -> Value.newBuilder().setStringValue(randomText(random)).build();
      case 3 -> Value.newBuilder().setBoolValue(random.nextBoolean()).build();
      case 4 -> {
        Value[] values = new Value[random.nextInt(4)];
        Arrays.setAll(values, i -> randomValue(random, depth + 1));
        yield list(values);
      }
      default -> {
        Struct.Builder struct = Struct.newBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
          struct.putFields(randomText(random), randomValue(random, depth + 1));
        }
        yield Value.newBuilder().setStructValue(struct).build();
      }
    };
  }

  private static String randomText(Random random) {
    String[] letters = {"a", "\"", "\\", "é", "€", "\uD83D\uDE00", "\n", "long enough for a word"};
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }
}
