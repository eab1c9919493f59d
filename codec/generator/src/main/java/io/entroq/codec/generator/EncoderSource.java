package io.entroq.codec.generator;

import java.util.stream.Collectors;

/** The source of a root message's encoder. */
final class EncoderSource {
  private final MessageType message;
  private final JavaSource out = new JavaSource();

  EncoderSource(MessageType message) {
    this.message = message;
    out.javadoc(
        "Encodes `"
            + message.name()
            + "`. "
            + message.comment()
            + " Set the fields that are not default in the order of the methods; any other order throws"
            + " IllegalStateException.");
    out.line("public final class %s {", message.encoder());
    out.line("private final WireWriter writer = new WireWriter();");
    if (message.fields.stream().anyMatch(EncoderSource::takesBytes)) {
      out.line("private final Slice slice = new Slice();");
    }
    out.line("");
    out.javadoc("Starts a message; the buffer may be expandable.");
    out.line("public %s wrap(MutableDirectBuffer buffer, int offset) {", message.encoder());
    out.line("writer.wrap(buffer, offset);").line("return this;").line("}");
    for (Field field : message.fields) {
      method(field);
      if (takesBytes(field)) {
        bytesMethod(field);
      }
    }
    out.method("Bytes of the message so far.", "public int length()", "return writer.length();");
    out.method(
        "Number of the last field written, including defaults; 0 if none.",
        "public int lastField()",
        "return writer.lastField();");
    out.line("}");
  }

  /** Whether it is copied verbatim: text, bytes, or a separately encoded message. */
  private static boolean takesBytes(Field field) {
    return field.isMessage() ? field.child().isRoot() : field.isSpan();
  }

  private void method(Field field) {
    out.line("");
    out.javadoc(field.comment());
    out.line(
        "public %s %s(%s) {",
        message.encoder(),
        field.parameter(),
        field.isMessage() && field.child().isInlined()
            ? parameters(field.child())
            : (takesBytes(field) ? "Slice" : field.writtenType()) + " " + field.parameter());
    out.line("writer.%s(%d);", field.isRepeated() ? "repeated" : "single", field.number());
    if (field.isMessage() && field.child().isInlined()) {
      writeInlined(field);
    } else if (takesBytes(field) && (field.isRepeated() || field.isMessage())) {
      out.line("writer.repeatedBytesField(%d, %s);", field.number(), field.parameter());
    } else {
      FieldsSource.writeField(out, field);
    }
    out.line("return this;").line("}");
  }

  private static String parameters(MessageType type) {
    return type.fields.stream()
        .map(field -> field.writtenType() + " " + field.name())
        .collect(Collectors.joining(", "));
  }

  private void writeInlined(Field field) {
    MessageType child = field.child();
    for (Field part : child.fields) {
      if (part.isSizedOnce()) {
        out.line("int %s = %s.size();", part.sizeVariable(), part.name());
      }
    }
    out.sum("int size = ", child.fields.stream().map(Field::size).toList());
    out.line("writer.messageField(%d, size);", field.number());
    child.fields.forEach(part -> FieldsSource.writeField(out, part));
  }

  private void bytesMethod(Field field) {
    String name = field.parameter();
    out.line("");
    out.javadoc(field.comment());
    out.line(
        "public %s %s(DirectBuffer buffer, int offset, int length) {", message.encoder(), name);
    out.line("return %s(slice.wrap(buffer, offset, length));", name).line("}");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
