package io.entroq.codec.generator;

/** The source of a message's decoder. */
final class DecoderSource {
  private final MessageType message;
  private final JavaSource out = new JavaSource();

  DecoderSource(MessageType message) {
    this.message = message;
    out.javadoc(
        "Decodes `"
            + message.name()
            + "`. "
            + message.comment()
            + " Results are valid until the next message is read.");
    String parent = message.interfaceName();
    out.line(
        "public final class %s%s {",
        message.decoder(), parent.isEmpty() ? "" : " implements " + parent);
    constants();
    state();
    if (message.isRoot()) {
      wrap();
    }
    clear();
    read();
    message.fields.stream().filter(Field::isRepeated).forEach(this::readElement);
    if (message.isChecked()) {
      check();
    }
    if (message.isRoot()) {
      bounds();
    }
    Accessor.of(message).forEach(accessor -> accessor.write(out));
    out.line("}");
  }

  private void constants() {
    for (Field field : message.fields) {
      field
          .option("max")
          .ifPresent(
              max -> {
                out.javadoc("Largest allowed: `" + field.path() + "`.");
                boolean isLong = (Long) max > Integer.MAX_VALUE;
                out.line(
                        "public static final %s %s = %s%s;",
                        isLong ? "long" : "int", field.max(), max, isLong ? "L" : "")
                    .line("");
              });
    }
    for (Field field : message.fields) {
      out.line(
          "private static final int %s = %d << 3 | WireReader.%s;",
          field.tag(), field.number(), field.wireType());
    }
    out.line("");
  }

  private void state() {
    if (message.isRoot()) {
      out.line("private final WireReader reader;").line("private int length;");
      if (message.retryFields() != 0) {
        out.line("private final BodyCrc bodyCrc = new BodyCrc(0x%XL);", message.retryFields());
      }
    }
    for (Field field : message.fields) {
      String name = field.name();
      if (field.isMessage()) {
        state(field, field.child().decoder());
      } else if (field.isRepeated()) {
        out.line("private final Spans %s = new Spans();", name);
      } else if (field.isSpan()) {
        out.line("private int %sOffset;", name).line("private int %sLength;", name);
      } else {
        out.line("private %s %s;", field.type(), name);
      }
    }
  }

  private void state(Field field, String type) {
    if (field.isRepeated()) {
      out.line(
          "private final ItemList<%s> %s = new ItemList<>(%s::new);", type, field.name(), type);
      return;
    }
    // Offsets of a nested root refer to the buffer of the enclosing message.
    String reader = field.child().isRoot() ? "reader" : "";
    if (reader.isEmpty()) {
      out.line("private final %s %s = new %s();", type, field.name(), type);
    } else {
      out.line("private final %s %s;", type, field.name());
    }
    if (field.hasPresence()) {
      out.line("private boolean has%s;", Field.capitalized(field.name()));
    }
  }

  private void wrap() {
    out.line("");
    out.javadoc("Must be wrapped before use.");
    out.line("public %s() {", message.decoder()).line("this(new WireReader());").line("}");
    out.line("");
    out.javadoc("A decoder for messages nested in the one that the reader reads.");
    out.line("public %s(WireReader reader) {", message.decoder()).line("this.reader = reader;");
    for (Field field : message.fields) {
      if (field.isMessage() && !field.isRepeated() && field.child().isRoot()) {
        out.line("%s = new %s(reader);", field.name(), field.child().decoder());
      }
    }
    out.line("}").line("");
    out.line("/**");
    out.line(" * Reads and checks a whole message.");
    out.line(" *");
    out.line(
        " * @throws MalformedMessageException if it is malformed; this decoder is then invalid");
    out.line(" */");
    out.line("public void wrap(DirectBuffer buffer, int offset, int length) {");
    out.line("reader.wrap(buffer, offset, length);").line("clear();");
    out.line("this.length = length;");
    out.line("readFields(reader);");
    if (message.isChecked()) {
      out.line("check(reader);");
    }
    if (!message.rule().isEmpty()) {
      out.line("%s(this, reader, \"%s\");", message.rule(), message.name());
    }
    out.line("}");
  }

  private void clear() {
    out.line("");
    out.javadoc("Resets all fields.");
    out.line("public void clear() {");
    if (message.isRoot()) {
      out.line("length = 0;");
    }
    for (Field field : message.fields) {
      String name = field.name();
      if (field.hasPresence()) {
        String has = "has" + Field.capitalized(name);
        out.line("if (%s) {", has).line("%s = false;", has).line("%s.clear();", name).line("}");
      } else if (field.isRepeated() || field.isMessage()) {
        out.line("%s.clear();", name);
      } else if (field.isSpan()) {
        out.line("%sOffset = 0;", name).line("%sLength = 0;", name);
      } else {
        out.line("%s = %s;", name, field.type().equals("boolean") ? "false" : "0");
      }
    }
    out.line("}");
  }

  private void read() {
    out.line("");
    out.javadoc(
        "Reads the nested message at the reader's position. Fields that it lacks keep their"
            + " previous values, as protobuf merges.");
    out.line("public void read(WireReader in, String field) {");
    out.line("int outer = in.enter(field);");
    out.line("readFields(in);");
    out.line("in.leave(outer);").line("}").line("");
    out.line("private void readFields(WireReader in) {");
    String next = "in.tag(\"%s\")".formatted(message.name());
    out.line("for (int tag = %s; tag != 0; tag = %s) {", next, next);
    out.line("switch (tag) {");
    message.fields.forEach(this::readCase);
    out.line("default -> in.skip(tag, %d, \"%s\");", message.fields.size(), message.name());
    out.line("}").line("}").line("}");
  }

  private void readCase(Field field) {
    String name = field.name();
    if (field.isRepeated()) {
      out.line("case %s -> read%s(in);", field.tag(), Field.capitalized(field.singular()));
    } else if (field.hasPresence()) {
      out.line("case %s -> {", field.tag());
      out.line("has%s = true;", Field.capitalized(name));
      out.line("%s.read(in, \"%s\");", name, field.path()).line("}");
    } else if (field.isMessage()) {
      out.line("case %s -> %s.read(in, \"%s\");", field.tag(), name, field.path());
    } else if (field.isSpan()) {
      out.line("case %s -> {", field.tag());
      out.line("%sLength = %s;", name, field.read());
      out.line("%sOffset = in.spanOffset();", name).line("}");
    } else {
      out.line("case %s -> %s = %s;", field.tag(), name, field.read());
    }
  }

  private void readElement(Field field) {
    out.line("");
    out.line("private void read%s(WireReader in) {", Field.capitalized(field.singular()));
    if (field.isMessage()) {
      out.line("%s element = %s.add();", field.child().decoder(), field.name());
      out.line("element.clear();").line("element.read(in, \"%s\");", field.path());
      if (field.child().isChecked()) {
        out.line("element.check(in);");
      }
      rule(field, "element");
    } else {
      out.line("int size = %s;", field.read());
      if (field.isRequired()) {
        refuse("size == 0", field, "\"empty\"");
      }
      out.line("%s.add(in.spanOffset(), size);", field.name());
    }
    out.line("}");
  }

  private void rule(Field field, String variable) {
    if (!field.rule().isEmpty()) {
      out.line("%s(%s, in, \"%s\");", field.rule(), variable, field.path());
    }
  }

  private void check() {
    out.line("");
    out.javadoc("Checks the fields against the schema.");
    out.line("public void check(WireReader in) {");
    for (Field field : message.fields) {
      if (field.isMessage() && field.isChecked()) {
        checkInner(field);
      } else if (field.isRepeated()) {
        checkCount(field);
      } else if (field.isRequired()) {
        refuse(field.name() + "Length == 0", field, "\"missing or empty\"");
      } else if (field.isChecked()) {
        out.line(
            "in.checkRange(\"%s\", %s, %sL, %s);",
            field.path(),
            field.written(),
            field.option("min").orElse(0),
            field.option("max").isPresent() ? field.max() : "Long.MAX_VALUE");
      }
    }
    out.line("}");
  }

  private void checkInner(Field field) {
    if (field.hasPresence()) {
      out.line("if (has%s) {", Field.capitalized(field.name()));
    }
    if (field.child().isChecked()) {
      out.line("%s.check(in);", field.name());
    }
    rule(field, field.name());
    if (field.hasPresence()) {
      out.line("}");
    }
  }

  private void checkCount(Field field) {
    String count = field.name() + ".count()";
    if (field.isRequired()) {
      refuse(count + " == 0", field, "\"missing\"");
    }
    if (field.option("max").isPresent()) {
      String problem = "%s + \" elements, the limit is \" + %s".formatted(count, field.max());
      refuse(count + " > " + field.max(), field, problem);
    }
  }

  private void refuse(String condition, Field field, String problem) {
    out.line("if (%s) {", condition);
    out.line("throw in.malformed(\"%s\", %s);", field.path(), problem).line("}");
  }

  private void bounds() {
    out.method(
        "The buffer that all offsets refer to: a view of the wrapped one.",
        "public DirectBuffer buffer()",
        "return reader.buffer();");
    out.method(
        "Offset of the message in that buffer.",
        "public int encodedOffset()",
        "return reader.start();");
    out.method(
        "Bytes of the message; 0 if it is nested.", "public int encodedLength()", "return length;");
    if (message.retryFields() != 0) {
      out.method(
          "CRC32C of the message without the fields in which a retry may differ; 0 if it is"
              + " nested.",
          "public int bodyCrc()",
          "return length == 0 ? 0 : bodyCrc.compute(reader, length);");
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
