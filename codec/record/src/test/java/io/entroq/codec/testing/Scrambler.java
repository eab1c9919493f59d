package io.entroq.codec.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Serializes a message in a way that is allowed but that no encoder of ours takes: fields in any
 * order, overwritten scalars, inner messages in two parts, unknown fields in between.
 */
final class Scrambler {
  private static final int UNKNOWN_FIELD = 100;

  private final Random random;

  Scrambler(Random random) {
    this.random = random;
  }

  byte[] scramble(Message message) {
    try {
      return write(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] write(Message message) throws IOException {
    List<List<byte[]>> fields = new ArrayList<>();
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      fields.add(pieces(field.getKey(), field.getValue()));
    }
    if (random.nextInt(3) == 0) {
      fields.add(List.of(unknown()));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (!fields.isEmpty()) {
      // The order among pieces of one field counts, that among fields does not.
      int next = random.nextInt(fields.size());
      List<byte[]> pieces = fields.get(next);
      out.write(pieces.get(0));
      if (pieces.size() == 1) {
        fields.remove(next);
      } else {
        fields.set(next, pieces.subList(1, pieces.size()));
      }
    }
    return out.toByteArray();
  }

  private List<byte[]> pieces(FieldDescriptor field, Object value) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    if (field.isRepeated()) {
      for (Object element : (List<?>) value) {
        pieces.add(piece(field, element));
      }
      return pieces;
    }
    boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (isMessage && random.nextInt(3) == 0) {
      pieces.addAll(halves(field, (Message) value));
      return pieces;
    }
    if (!isMessage && random.nextInt(3) == 0) {
      pieces.add(piece(field, junk(field)));
    }
    pieces.add(piece(field, value));
    return pieces;
  }

  private List<byte[]> halves(FieldDescriptor field, Message message) throws IOException {
    Message.Builder first = message.toBuilder();
    Message.Builder second = message.toBuilder();
    List<FieldDescriptor> inner = new ArrayList<>(message.getAllFields().keySet());
    Collections.shuffle(inner, random);
    for (int i = 0; i < inner.size(); i++) {
      (i % 2 == 0 ? first : second).clearField(inner.get(i));
    }
    return List.of(piece(field, first.build()), piece(field, second.build()));
  }

  private byte[] piece(FieldDescriptor field, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    int number = field.getNumber();
    switch (field.getType()) {
      case MESSAGE -> out.writeByteArray(number, write((Message) value));
      case STRING -> out.writeString(number, (String) value);
      case BYTES -> out.writeBytes(number, (ByteString) value);
      case ENUM ->
          out.writeEnum(
              number, ((com.google.protobuf.Descriptors.EnumValueDescriptor) value).getNumber());
      case BOOL -> out.writeBool(number, (Boolean) value);
      case INT32 -> out.writeInt32(number, (Integer) value);
      case UINT32 -> out.writeUInt32(number, (Integer) value);
      case INT64 -> out.writeInt64(number, (Long) value);
      case UINT64 -> out.writeUInt64(number, (Long) value);
      case FIXED64 -> out.writeFixed64(number, (Long) value);
      case SFIXED64 -> out.writeSFixed64(number, (Long) value);
      default -> throw new AssertionError("unexpected type " + field.getType());
    }
    out.flush();
    return bytes.toByteArray();
  }

  private Object junk(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> "jünk";
      case BYTE_STRING -> ByteString.copyFromUtf8("junk");
      case ENUM -> field.getEnumType().findValueByNumber(random.nextInt(2));
      case BOOLEAN -> random.nextBoolean();
      case INT -> random.nextInt(1000);
      case LONG -> random.nextLong() & Long.MAX_VALUE;
      default -> throw new AssertionError("unexpected type " + field.getJavaType());
    };
  }

  private byte[] unknown() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    int number = UNKNOWN_FIELD + random.nextInt(1000);
    switch (random.nextInt(4)) {
      case 0 -> out.writeInt64(number, random.nextLong());
      case 1 -> out.writeFixed64(number, random.nextLong());
      case 2 -> out.writeFixed32(number, random.nextInt());
      default -> out.writeString(number, "from a later schema");
    }
    out.flush();
    return bytes.toByteArray();
  }
}
