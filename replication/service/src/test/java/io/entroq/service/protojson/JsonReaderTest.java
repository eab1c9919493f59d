package io.entroq.service.protojson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.service.translation.RefusedException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken for a message. What is not has its test over HTTP. */
class JsonReaderTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "'\"17\"', 17",
    "17.0, 17",
    "1.7e1, 17",
    "'\"170E-1\"', 17",
    "-6795364578871, -6795364578871",
    "'\"9223372036854775807\"', 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "null, 0"
  })
  void shouldReadIntegersInAnyNotation(String json, long number) {
    assertThat(data("{\"atMs\":" + json + "}").getAtMs()).isEqualTo(number);
  }

  @Test
  void shouldReadUnsignedNumbers() {
    ClaimRequest.Builder claim = ClaimRequest.newBuilder();
    read(
        "{\"requestNumber\":\"18446744073709551615\",\"acked_below\":18446744073709551615}", claim);
    assertThat(claim.getRequestNumber()).isEqualTo(-1);
    assertThat(claim.getAckedBelow()).isEqualTo(-1);
  }

  @Test
  void shouldReadBytesInBothAlphabets() {
    ByteString bytes = ByteString.copyFrom(new byte[] {-5, -1, -2});
    for (String base64 : new String[] {"+//+", "-__-", "-_/+"}) {
      ClaimRequest.Builder claim = ClaimRequest.newBuilder();
      read("{\"clientId\":\"" + base64 + "\"}", claim);
      assertThat(claim.getClientId()).isEqualTo(bytes);
    }
    ClaimRequest.Builder claim = ClaimRequest.newBuilder();
    read("{\"clientId\":\"YQ\"}", claim);
    assertThat(claim.getClientId().toStringUtf8()).isEqualTo("a");
  }

  @Test
  void shouldReadNullAsDefaultExceptInFieldsOfAnyJson() {
    TaskData data = data("{\"queue\":null,\"atMs\":null,\"attempt\":null,\"value\":null}");
    assertThat(data.getQueue()).isEmpty();
    assertThat(data.hasValue()).isTrue();
    assertThat(Values.toJson(data.getValue().toByteArray())).isEqualTo("null");
    assertThat(data("{}").hasValue()).isFalse();
    ModifyRequest.Builder modify = ModifyRequest.newBuilder();
    read("{\"inserts\":null,\"thenClaim\":null}", modify);
    assertThat(modify.build()).isEqualTo(ModifyRequest.getDefaultInstance());
  }

  @Test
  void shouldNameUnknownFields() {
    for (String json : new String[] {"{\"a\":1}", "{\"queue\":\"q\",\"a\":{\"b\":[]}}"}) {
      assertThatThrownBy(() -> data(json))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("serves (protocols 1,2): at /a: unknown field \"a\"");
    }
  }

  @Test
  void shouldTruncateLongErrors() {
    String name = "x".repeat(100_000);
    assertThatThrownBy(() -> data("{\"queue\":" + name + "}"))
        .isInstanceOf(RefusedException.class)
        .message()
        .hasSizeLessThan(400);
  }

  private static TaskData data(String json) {
    TaskData.Builder data = TaskData.newBuilder();
    read(json, data);
    return data.build();
  }

  private static void read(String json, com.google.protobuf.Message.Builder message) {
    JsonReader.read(json.getBytes(StandardCharsets.UTF_8), message);
  }
}
