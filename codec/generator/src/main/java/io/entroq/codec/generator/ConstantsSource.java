package io.entroq.codec.generator;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;

/** A class with the numbers of an enum as constants, whose names lose their common prefix. */
final class ConstantsSource {
  private final JavaSource out = new JavaSource();

  ConstantsSource(Schema schema, EnumDescriptor type) {
    String className = type.getName() + "s";
    out.javadoc(schema.comment(type.getFile(), 5, type.getIndex()));
    out.line("public final class %s {", className);
    int prefix = prefixLength(type);
    int max = 0;
    for (EnumValueDescriptor value : type.getValues()) {
      out.javadoc(schema.comment(type.getFile(), 5, type.getIndex(), 2, value.getIndex()));
      String name = value.getName().substring(prefix);
      out.line("public static final int %s = %d;", name, value.getNumber()).line("");
      max = Math.max(max, value.getNumber());
    }
    out.javadoc("The largest number.");
    out.line("public static final int MAX = %d;", max).line("");
    out.line("private %s() {}", className).line("}");
  }

  private static int prefixLength(EnumDescriptor type) {
    String first = type.getValues().get(0).getName();
    int end = first.length();
    for (EnumValueDescriptor value : type.getValues()) {
      while (!value.getName().startsWith(first.substring(0, end))) {
        end--;
      }
    }
    return first.lastIndexOf('_', end - 1) + 1;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
