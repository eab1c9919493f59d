package io.entroq.codec.generator;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A field of a message: its Java names, and the code that reads and writes it. */
final class Field {
  /** Names of variables in generated methods. */
  private static final Set<String> RESERVED =
      Set.of("buffer", "field", "in", "length", "offset", "reader", "size", "slice", "writer");

  private final MessageType message;
  private final FieldDescriptor field;

  Field(MessageType message, FieldDescriptor field) {
    this.message = message;
    this.field = field;
    if (field.hasPresence() && !isMessage()) {
      throw unsupported("`optional`");
    }
    if (RESERVED.contains(name()) || RESERVED.contains(parameter())) {
      throw unsupported("the name (set the option `name`)");
    }
    if (isRepeated() && !isMessage() && field.getType() != FieldDescriptor.Type.STRING) {
      throw unsupported("`repeated` of other types than strings and messages");
    }
  }

  private SchemaException unsupported(String what) {
    return new SchemaException(field.getFullName(), what + " is not supported");
  }

  int number() {
    return field.getNumber();
  }

  /** Message and field for errors, such as {@code Claim.lease_ms}. */
  String path() {
    return message.name() + "." + field.getName();
  }

  /** The constant that holds the field's tag. */
  String tag() {
    return field.getName().toUpperCase(Locale.ROOT) + "_TAG";
  }

  /** The constant that holds the option {@code max}. */
  String max() {
    return field.getName().toUpperCase(Locale.ROOT) + "_MAX";
  }

  String comment() {
    return message.comment(field);
  }

  /** The Java name: the option {@code name}, or the field's name. */
  String name() {
    String name = message.schema.text(field, "name");
    return camelCase(name.isEmpty() ? field.getName() : name);
  }

  /** The name of one element of a repeated field. */
  String singular() {
    if (name().endsWith("ies")) {
      return name().substring(0, name().length() - 3) + "y";
    }
    return name().endsWith("s") ? name().substring(0, name().length() - 1) : name();
  }

  /** The name of an encoder method and its parameter. */
  String parameter() {
    return isRepeated() ? singular() : name();
  }

  /** The prefix of the accessors of a nested message. */
  String prefix() {
    return option("flat").map(Object::toString).orElse(field.getName());
  }

  static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_", -1)) {
      camel.append(camel.isEmpty() ? word : capitalized(word));
    }
    return camel.toString();
  }

  static String capitalized(String word) {
    return word.isEmpty() ? "" : Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  boolean flag(String option) {
    return message.schema.flag(field, option);
  }

  Optional<Object> option(String name) {
    return message.schema.option(field, name);
  }

  boolean isRepeated() {
    return field.isRepeated();
  }

  boolean isMessage() {
    return field.getType() == FieldDescriptor.Type.MESSAGE;
  }

  /** Whether it is text or bytes, which are not copied. */
  boolean isSpan() {
    return field.getType() == FieldDescriptor.Type.STRING
        || field.getType() == FieldDescriptor.Type.BYTES;
  }

  boolean isRequired() {
    return flag("required");
  }

  MessageType child() {
    return new MessageType(message.schema, field.getMessageType());
  }

  /** Whether the decoder distinguishes an absent message from an empty one. */
  boolean hasPresence() {
    return isMessage() && !isRepeated() && !isRequired() && !child().isAbsentIfZero();
  }

  /** The hand-written rule that checks a nested message; may be empty. */
  String rule() {
    String own = message.schema.text(field, "rule");
    return own.isEmpty() && isMessage() ? child().rule() : own;
  }

  /** Whether it must be checked after the message has been read. */
  boolean isChecked() {
    if (isMessage()) {
      return !isRepeated() && (child().isChecked() || !rule().isEmpty());
    }
    return isRequired() || option("min").isPresent() || option("max").isPresent();
  }

  String wireType() {
    return switch (field.getType()) {
      case STRING, BYTES, MESSAGE -> "LENGTH_DELIMITED";
      case FIXED64, SFIXED64 -> "FIXED64";
      default -> "VARINT";
    };
  }

  /** The Java type of a number. */
  String type() {
    return switch (field.getType()) {
      case INT32, UINT32, ENUM -> "int";
      case BOOL -> "boolean";
      case INT64, UINT64, FIXED64, SFIXED64 -> "long";
      default -> throw unsupported(field.getType().toString());
    };
  }

  /** The expression that reads its value; for text and bytes, the length. */
  String read() {
    return switch (field.getType()) {
      case STRING -> "in.text(\"%s\", FieldLimits.%s)".formatted(path(), bytesMax());
      case BYTES -> "in.bytes(\"%s\")".formatted(path());
      case ENUM ->
          "in.enumeration(\"%s\", %ss.MAX)".formatted(path(), field.getEnumType().getName());
      case BOOL -> "in.bool(\"%s\")".formatted(path());
      case INT32, UINT32 -> "in.int32(\"%s\")".formatted(path());
      case INT64 -> "in.varint(\"%s\")".formatted(path());
      case UINT64 -> "in.positive(\"%s\")".formatted(path());
      case FIXED64, SFIXED64 -> "in.fixed64(\"%s\")".formatted(path());
      default -> throw unsupported(field.getType().toString());
    };
  }

  private String bytesMax() {
    return flag("unbounded") ? "UNBOUNDED" : "TEXT_BYTES_MAX";
  }

  /** The prefix of the writer's methods for this type. */
  private String writeKind() {
    return switch (field.getType()) {
      case STRING, BYTES -> "bytes";
      case FIXED64, SFIXED64 -> "fixed64";
      case BOOL -> "bool";
      default -> "varint";
    };
  }

  /** The expression for its value as a writer's argument. */
  String written() {
    return field.getType() == FieldDescriptor.Type.UINT32
        ? "Integer.toUnsignedLong(%s)".formatted(name())
        : name();
  }

  /** The parameter type of its encoder method. */
  String writtenType() {
    if (isMessage()) {
      return child().fieldsClass();
    }
    return isSpan() ? "Slice" : type();
  }

  /** The expression for its size including its tag, given a variable with its name. */
  String size() {
    if (!isMessage()) {
      return "WireWriter.%sFieldSize(%d, %s)".formatted(writeKind(), number(), written());
    }
    String inner = isSizedOnce() ? sizeVariable() : name() + ".size()";
    String size = "WireWriter.messageFieldSize(%d, %s)".formatted(number(), inner);
    return isOmittedIfZero() ? "(%s.isNobody() ? 0 : %s)".formatted(name(), size) : size;
  }

  /** Whether the size of a nested message is kept in a variable because it is expensive. */
  boolean isSizedOnce() {
    return isMessage() && !child().isAbsentIfZero();
  }

  String sizeVariable() {
    return name() + "Size";
  }

  /** The statement that writes it, given a variable with its name. */
  String write() {
    if (!isMessage()) {
      return "writer.%sField(%d, %s);".formatted(writeKind(), number(), written());
    }
    String size = "";
    if (!child().isAbsentIfZero()) {
      size = isRepeated() ? ", " + parameter() + ".size()" : ", " + sizeVariable();
    }
    return "%s.write(writer, %d%s);".formatted(parameter(), number(), size);
  }

  /** Whether it is a message that is not written if it is all zeros. */
  boolean isOmittedIfZero() {
    return isMessage() && child().isAbsentIfZero() && !isRepeated() && !isRequired();
  }
}
