package io.entroq.codec.generator;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.List;

/** A message of the schema, and the names of its generated classes. */
final class MessageType {
  final Schema schema;
  final List<Field> fields = new ArrayList<>();
  private final Descriptor type;

  MessageType(Schema schema, Descriptor type) {
    this.schema = schema;
    this.type = type;
    if (!type.getRealOneofs().isEmpty() || !type.getNestedTypes().isEmpty()) {
      throw new SchemaException(
          type.getFullName(), "oneofs, maps and nested types are not supported");
    }
    for (FieldDescriptor field : type.getFields()) {
      fields.add(new Field(this, field));
      // The reader takes an unknown number below the highest for a wrong wire type.
      if (field.getNumber() != fields.size()) {
        throw new SchemaException(
            field.getFullName(), "fields must be numbered 1, 2, 3, ... in order");
      }
    }
  }

  String name() {
    return type.getName();
  }

  String comment() {
    return schema.comment(type.getFile(), 4, type.getIndex());
  }

  String comment(FieldDescriptor field) {
    return schema.comment(type.getFile(), 4, type.getIndex(), 2, field.getIndex());
  }

  String decoder() {
    return name() + "Decoder";
  }

  String encoder() {
    return name() + "Encoder";
  }

  String fieldsClass() {
    return name() + "Fields";
  }

  /** Whether it is read and written by itself, not only nested in others. */
  boolean isRoot() {
    return schema.flag(type, "root");
  }

  /** Whether encoder methods take its fields as parameters. */
  boolean isInlined() {
    return schema.flag(type, "inlined");
  }

  /** Whether all zeros means absent, so that encoders omit it. */
  boolean isAbsentIfZero() {
    return schema.flag(type, "absent_if_zero");
  }

  /** Whether a generated class holds its fields; the one for absent_if_zero is hand-written. */
  boolean hasFields() {
    return !isInlined() && !isAbsentIfZero();
  }

  String interfaceName() {
    return schema.text(type, "implements");
  }

  String rule() {
    return schema.text(type, "message_rule");
  }

  /** Whether its decoder has a check method. */
  boolean isChecked() {
    return fields.stream().anyMatch(Field::isChecked);
  }

  /** Numbers of the fields in which a retry of a request may differ, as a bit set. */
  long retryFields() {
    return fields.stream()
        .filter(field -> field.flag("retry_differs"))
        .mapToLong(field -> 1L << field.number())
        .reduce(0, (a, b) -> a | b);
  }
}
