package io.entroq.codec.generator;

/** The source of the class that holds the fields of a nested message for an encoder. */
final class FieldsSource {
  /**
   * So many fields are written by one method, and the others by a second one: the compiler would
   * inline no more of a longer one, and call a method for each of its last fields.
   */
  private static final int FIRST_FIELDS = 12;

  private final MessageType message;
  private final JavaSource out = new JavaSource();

  FieldsSource(MessageType message) {
    this.message = message;
    out.javadoc(
        "The fields of `"
            + message.name()
            + "` for an encoder. "
            + message.comment()
            + " Reusable; not thread-safe.");
    out.line("public final class %s {", message.fieldsClass());
    for (Field field : message.fields) {
      if (field.isRepeated() || (field.isMessage() && !field.child().isAbsentIfZero())) {
        throw new SchemaException(
            field.path(), "a list or message in a nested message is not supported");
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
    out.javadoc("Resets all fields to their defaults.");
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
      out.method(field.comment(), signature, "return " + name + ";");
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
    out.javadoc("Writes this as a field of the current message, given its size.");
    out.line("public void write(WireWriter writer, int field, int size) {");
    out.line("writer.messageField(field, size);");
    int first = Math.min(FIRST_FIELDS, message.fields.size());
    message.fields.subList(0, first).forEach(field -> writeField(out, field));
    if (first == message.fields.size()) {
      out.line("}");
      return;
    }
    out.line("writeRest(writer);").line("}").line("");
    out.line("private void writeRest(WireWriter writer) {");
    message.fields.subList(first, message.fields.size()).forEach(field -> writeField(out, field));
    out.line("}");
  }

  static void writeField(JavaSource out, Field field) {
    if (field.isOmittedIfZero()) {
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
