package io.entroq.service.protojson;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a message holds: what is written of it is read as the same. */
class JsonRoundTripTest {
  private static final int ROUNDS = 100;
  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());

  private static final List<Message> MESSAGES =
      List.of(
          ClaimRequest.getDefaultInstance(),
          ClaimResponse.getDefaultInstance(),
          ModifyRequest.getDefaultInstance(),
          ModifyResponse.getDefaultInstance(),
          TasksRequest.getDefaultInstance(),
          QueuesResponse.getDefaultInstance(),
          TimeResponse.getDefaultInstance(),
          DocsRequest.getDefaultInstance(),
          DocsResponse.getDefaultInstance(),
          ClaimDocsRequest.getDefaultInstance(),
          NamespacesResponse.getDefaultInstance());

  private static final List<String> TEXTS =
      List.of("", "a", "ä\u2028\ud83d\ude00", "\u0000\u001f\"\\/", "1", "null", "</script>");

  private static final List<String> VALUES =
      List.of("null", "\"\"", "1", "-0", "[]", "{}", "{\"a\":[{},[1e300,\"x\"],true]}");

  private static final long[] NUMBERS = {
    0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void shouldReadWhatIsWritten() {
    for (int i = 0; i < ROUNDS; i++) {
      for (Message message : MESSAGES) {
        Message filled = fill(message.newBuilderForType());
        String json = JsonWriter.write(filled, Defaults.OMITTED);
        assertThat(read(json, message)).as("seed %d: %s", SEED, json).isEqualTo(filled);
      }
    }
  }

  @Test
  void shouldOmitDefaults() {
    for (Message message : MESSAGES) {
      assertThat(JsonWriter.write(message, Defaults.OMITTED)).isEqualTo("{}");
    }
  }

  private static Message read(String json, Message message) {
    Message.Builder read = message.newBuilderForType();
    JsonReader.read(json.getBytes(StandardCharsets.UTF_8), read);
    return read.build();
  }

  /** All that is not a default is there, too. A value that is absent is null then. */
  @Test
  void shouldShowDefaults() {
    for (int i = 0; i < ROUNDS; i++) {
      for (Message message : MESSAGES) {
        Message filled = fill(message.newBuilderForType());
        Message read = read(JsonWriter.write(filled, Defaults.SHOWN), message);
        assertThat(JsonWriter.write(read, Defaults.SHOWN))
            .as("seed %d", SEED)
            .isEqualTo(JsonWriter.write(filled, Defaults.SHOWN));
      }
    }
    assertThat(JsonWriter.write(ClaimResponse.getDefaultInstance(), Defaults.SHOWN))
        .isEqualTo("{\"task\":null}");
    assertThat(JsonWriter.write(ModifyResponse.getDefaultInstance(), Defaults.SHOWN))
        .isEqualTo("{\"inserted\":[],\"changed\":[],\"insertedDocs\":[],\"changedDocs\":[]}");
    assertThat(JsonWriter.write(Task.newBuilder().setId("t").build(), Defaults.SHOWN))
        .isEqualTo(
            "{\"queue\":\"\",\"id\":\"t\",\"version\":0,\"atMs\":\"0\",\"claimantId\":\"\","
                + "\"value\":null,\"createdMs\":\"0\",\"modifiedMs\":\"0\",\"claims\":0,"
                + "\"attempt\":0,\"err\":\"\"}");
  }

  /** A reference by id has no key, and a reference to a set no id. */
  @Test
  void shouldShowOnlyTheAlternativeThatIsSet() {
    DocID.Builder ref = DocID.newBuilder().setNamespace("n");
    assertThat(JsonWriter.write(ref.setId("").build(), Defaults.SHOWN))
        .isEqualTo("{\"namespace\":\"n\",\"id\":\"\",\"version\":0,\"secondaryKey\":\"\"}");
    assertThat(JsonWriter.write(ref.setKey("k").build(), Defaults.SHOWN))
        .isEqualTo("{\"namespace\":\"n\",\"key\":\"k\",\"version\":0,\"secondaryKey\":\"\"}");
  }

  private Message fill(Message.Builder message) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isRepeated()) {
        for (int i = random.nextInt(3); i > 0; i--) {
          message.addRepeatedField(field, value(message, field));
        }
      } else if (random.nextBoolean()) {
        message.setField(field, value(message, field));
      }
    }
    return message.build();
  }

  private Object value(Message.Builder message, FieldDescriptor field) {
    return switch (field.getType()) {
      case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
      case INT32 -> (int) NUMBERS[random.nextInt(NUMBERS.length)];
      case INT64, UINT64 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case BOOL -> random.nextBoolean();
      case BYTES ->
          field.hasPresence()
              ? ByteString.copyFrom(Values.ofJson(VALUES.get(random.nextInt(VALUES.size()))))
              : ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
      case MESSAGE -> fill(message.newBuilderForField(field));
      case ENUM -> {
        List<EnumValueDescriptor> constants = field.getEnumType().getValues();
        yield constants.get(random.nextInt(constants.size()));
      }
      default -> throw new AssertionError(field);
    };
  }
}
