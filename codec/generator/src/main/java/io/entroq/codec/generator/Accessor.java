package io.entroq.codec.generator;

import java.util.ArrayList;
import java.util.List;

/**
 * A method of a decoder that returns a part of the message.
 *
 * @param parameters parameters of the method, such as {@code int index}; may be empty
 * @param value the expression that it returns
 */
record Accessor(String comment, String type, String name, String parameters, String value) {
  /** All accessors of a decoder, including those of nested messages. */
  static List<Accessor> of(MessageType message) {
    List<Accessor> accessors = new ArrayList<>();
    for (Field field : message.fields) {
      if (field.isRepeated()) {
        repeated(field, accessors);
      } else if (field.isMessage()) {
        nested(field, accessors);
      } else if (field.isSpan()) {
        String name = field.name();
        accessors.add(plain("Offset of `" + name + "`.", "int", name + "Offset"));
        accessors.add(plain("Bytes of `" + name + "`. " + field.comment(), "int", name + "Length"));
      } else {
        accessors.add(number(field));
      }
    }
    return accessors;
  }

  private static Accessor plain(String comment, String type, String name) {
    return new Accessor(comment, type, name, "", name);
  }

  private static Accessor number(Field field) {
    String name = field.name();
    String value =
        field
            .option("when_zero")
            .map(zero -> "%s == 0 ? %s : %s".formatted(name, zero, name))
            .orElse(name);
    return new Accessor(field.comment(), field.type(), name, "", value);
  }

  private static void repeated(Field field, List<Accessor> accessors) {
    String one = field.singular();
    String list = field.name();
    accessors.add(
        new Accessor(
            "Number of elements in `" + list + "`.", "int", one + "Count", "", list + ".count()"));
    if (field.isMessage()) {
      accessors.add(
          new Accessor(
              field.comment(), field.child().decoder(), one, "int index", list + ".get(index)"));
    } else {
      accessors.add(
          new Accessor(
              "Offset of the element at an index from 0.",
              "int",
              one + "Offset",
              "int index",
              list + ".offset(index)"));
      accessors.add(
          new Accessor(
              "Bytes of the element at an index from 0. " + field.comment(),
              "int",
              one + "Length",
              "int index",
              list + ".length(index)"));
    }
  }

  /** For a nested message: its decoder if it is a root; otherwise its accessors with a prefix. */
  private static void nested(Field field, List<Accessor> accessors) {
    String name = field.name();
    if (field.hasPresence()) {
      String has = "has" + Field.capitalized(name);
      accessors.add(
          plain(
              "Whether `" + name + "` is present; if absent, it reads as zeros.", "boolean", has));
    }
    if (field.child().isRoot()) {
      accessors.add(plain(field.comment(), field.child().decoder(), name));
      return;
    }
    for (Accessor part : of(field.child())) {
      String partName = part.name;
      if (!field.prefix().isEmpty()) {
        partName = Field.camelCase(field.prefix()) + Field.capitalized(partName);
      }
      String call = part.parameters.isEmpty() ? "()" : "(index)";
      accessors.add(
          new Accessor(
              part.comment, part.type, partName, part.parameters, name + "." + part.name + call));
    }
  }

  void write(JavaSource out) {
    String signature = "public %s %s(%s)".formatted(type, name, parameters);
    out.method(comment, signature, "return " + value + ";");
  }
}
