package io.entroq.codec.generator;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse.Feature;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** Entry point: protoc writes a request to standard input and reads files from standard output. */
public final class FlyweightPlugin {
  private static final List<String> IMPORTS =
      List.of("org.agrona.DirectBuffer", "org.agrona.MutableDirectBuffer");

  private final Schema schema;
  private final CodeGeneratorResponse.Builder response =
      CodeGeneratorResponse.newBuilder()
          .setSupportedFeatures(Feature.FEATURE_PROTO3_OPTIONAL_VALUE);

  private FlyweightPlugin(Schema schema) {
    this.schema = schema;
  }

  public static void main(String[] args) throws IOException {
    generate(System.in.readAllBytes()).writeTo(System.out);
    System.out.flush();
  }

  /** Handles a serialized {@link CodeGeneratorRequest}; protoc reports schema errors. */
  static CodeGeneratorResponse generate(byte[] request) throws IOException {
    try {
      Schema schema = Schema.parse(request);
      FlyweightPlugin plugin = new FlyweightPlugin(schema);
      for (String name : CodeGeneratorRequest.parseFrom(request).getFileToGenerateList()) {
        plugin.generate(schema.file(name));
      }
      return plugin.response.build();
    } catch (SchemaException e) {
      return CodeGeneratorResponse.newBuilder().setError(e.getMessage()).build();
    }
  }

  private void generate(FileDescriptor file) {
    if (schema.javaPackage(file).isEmpty()) {
      return;
    }
    for (EnumDescriptor type : file.getEnumTypes()) {
      add(file, type.getName() + "s", new ConstantsSource(schema, type).toString());
    }
    for (Descriptor type : file.getMessageTypes()) {
      MessageType message = new MessageType(schema, type);
      add(file, message.decoder(), new DecoderSource(message).toString());
      if (message.isRoot()) {
        add(file, message.encoder(), new EncoderSource(message).toString());
      } else if (message.hasFields()) {
        add(file, message.fieldsClass(), new FieldsSource(message).toString());
      }
    }
  }

  private void add(FileDescriptor file, String className, String body) {
    String javaPackage = schema.javaPackage(file);
    StringBuilder text = new StringBuilder();
    text.append("// Generated from ").append(file.getFullName()).append(" by codec/generator.\n");
    text.append("// Do not edit: change the schema instead.\n");
    text.append("package ").append(javaPackage).append(";\n\n");
    text.append("import io.entroq.codec.message.*;\n");
    for (String type : IMPORTS) {
      String simpleName = type.substring(type.lastIndexOf('.') + 1);
      if (Pattern.compile("\\b" + simpleName + "\\b").matcher(body).find()) {
        text.append("import ").append(type).append(";\n");
      }
    }
    text.append('\n').append(body);
    response.addFile(
        CodeGeneratorResponse.File.newBuilder()
            .setName(javaPackage.replace('.', '/') + "/" + className + ".java")
            .setContent(text.toString()));
  }
}
