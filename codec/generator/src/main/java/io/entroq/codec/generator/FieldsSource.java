package io.entroq.codec.generator;

/** The class that holds what is to be encoded of a message inside another. */
final class FieldsSource {
  private final MessageType message;
  private final JavaSource out = new JavaSource();

  FieldsSource(MessageType message) {
    this.message = message;
    out.javadoc(
        "The fields of `"
            + message.name()
            + "` for an encoder. "
            + message.comment()
            + " Reused; for one thread at a time.");
    out.line("public final class %s {", message.fieldsClass());
    for (Field field : message.fields) {
      if (field.isRepeated() || field.isMessage() && !field.child().isAbsentIfZero()) {
        throw new SchemaException(
            field.path(), "a list or message inside a message that is inside");
      }
      String type = field.writtenType();
      boolean isNumber = !field.isMessage() && !field.isSpan();
      out.line(
          isNumber ? "private %s %s;" : "private final %s %s = new %s();",
          type,
          field.name(),
          type);
    }
    clear();
    message.fields.forEach(this::setter);
    size();
    write();
    out.line("}");
  }

  private void clear() {
    out.line("");
    out.javadoc("Sets all to defaults.");
    out.line("public %s clear() {", message.fieldsClass());
    for (Field field : message.fields) {
      if (field.isMessage() || field.isSpan()) {
        out.line("%s.clear();", field.name());
      } else {
        out.line("%s = %s;", field.name(), field.type().equals("boolean") ? "false" : "0");
      }
    }
    out.line("return this;").line("}");
  }

  private void setter(Field field) {
    String name = field.name();
    if (field.isMessage() || field.isSpan()) {
      String signature = "public %s %s()".formatted(field.writtenType(), name);
      out.method("To be set. " + field.comment(), signature, "return " + name + ";");
      return;
    }
    out.line("");
    out.javadoc(field.comment());
    out.line("public %s %s(%s %s) {", message.fieldsClass(), name, field.type(), name);
    out.line("this.%s = %s;", name, name).line("return this;").line("}");
  }

  private void size() {
    out.line("");
    out.javadoc("Bytes of the message.");
    out.line("public int size() {");
    out.sum("return ", message.fields.stream().map(Field::size).toList());
    out.line("}");
  }

  private void write() {
    out.line("");
    out.javadoc("Writes it as a field of the message that the writer is in, given its size.");
    out.line("public void write(WireWriter writer, int field, int size) {");
    out.line("writer.messageField(field, size);");
    message.fields.forEach(field -> writeField(out, field));
    out.line("}");
  }

  static void writeField(JavaSource out, Field field) {
    if (field.isLeftOut()) {
      out.line("if (!%s.isNobody()) {", field.parameter()).line(field.write()).line("}");
    } else {
      out.line(field.write());
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
