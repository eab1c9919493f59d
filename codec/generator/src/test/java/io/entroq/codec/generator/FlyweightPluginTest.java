package io.entroq.codec.generator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import org.junit.jupiter.api.Test;

/**
 * What the plugin refuses, and that it says where. What it generates is tested by the codecs of the
 * log.
 */
class FlyweightPluginTest {
  private static final int PACKAGE_OPTION = 50001;

  private static final FileDescriptorProto OPTIONS = options();

  /** The options that flyweight.proto declares. */
  private static FileDescriptorProto options() {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("entroq/log/v1/flyweight.proto")
            .setPackage("entroq.log.v1")
            .setSyntax("proto3")
            .addDependency("google/protobuf/descriptor.proto");
    extend(file, "FileOptions", Type.TYPE_STRING, "flyweight_package");
    extend(file, "MessageOptions", Type.TYPE_BOOL, "root", "inlined", "absent_if_zero");
    extend(file, "MessageOptions", Type.TYPE_STRING, "implements", "message_rule");
    extend(file, "FieldOptions", Type.TYPE_BOOL, "unbounded", "required", "retry_differs");
    extend(file, "FieldOptions", Type.TYPE_STRING, "name", "flat", "rule");
    extend(file, "FieldOptions", Type.TYPE_INT64, "min", "max", "when_zero");
    return file.build();
  }

  private static void extend(
      FileDescriptorProto.Builder file, String options, Type type, String... names) {
    for (String name : names) {
      int number = PACKAGE_OPTION + file.getExtensionCount();
      file.addExtension(field(name, number, type).setExtendee(".google.protobuf." + options));
    }
  }

  private static FieldDescriptorProto.Builder field(String name, int number, Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(Label.LABEL_OPTIONAL);
  }

  private static CodeGeneratorResponse generate(String javaPackage, DescriptorProto.Builder type)
      throws Exception {
    UnknownFieldSet.Field value =
        UnknownFieldSet.Field.newBuilder()
            .addLengthDelimited(ByteString.copyFromUtf8(javaPackage))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("test.proto")
            .setSyntax("proto3")
            .addDependency(OPTIONS.getName())
            .setOptions(
                FileOptions.newBuilder()
                    .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(PACKAGE_OPTION, value).build()))
            .addMessageType(type)
            .build();
    CodeGeneratorRequest request =
        CodeGeneratorRequest.newBuilder()
            .addFileToGenerate("test.proto")
            .addProtoFile(DescriptorProtos.getDescriptor().toProto())
            .addProtoFile(OPTIONS)
            .addProtoFile(file)
            .build();
    return FlyweightPlugin.generate(request.toByteArray());
  }

  private static DescriptorProto.Builder message(FieldDescriptorProto.Builder... fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("Message");
    for (FieldDescriptorProto.Builder field : fields) {
      message.addField(field);
    }
    return message;
  }

  private static void assertRefused(DescriptorProto.Builder message, String where, String problem)
      throws Exception {
    CodeGeneratorResponse response = generate("some.where", message);
    assertThat(response.getError()).startsWith(where + ": ").contains(problem);
    assertThat(response.getFileList()).isEmpty();
  }

  @Test
  void shouldNameTheSchemaAndTheGeneratorInTheHeader() throws Exception {
    CodeGeneratorResponse response =
        generate("some.where", message(field("a_name", 1, Type.TYPE_STRING)));
    assertThat(response.getError()).isEmpty();
    assertThat(response.getFileList())
        .extracting(CodeGeneratorResponse.File::getName)
        .containsExactly("some/where/MessageDecoder.java", "some/where/MessageFields.java");
    assertThat(response.getFile(0).getContent())
        .startsWith("// Generated from test.proto by codec/generator.\n")
        .contains("package some.where;")
        .contains("public int aNameLength()");
  }

  @Test
  void shouldGenerateNothingForAFileWithoutAPackage() throws Exception {
    CodeGeneratorResponse response = generate("", message(field("f", 1, Type.TYPE_FLOAT)));
    assertThat(response.getError()).isEmpty();
    assertThat(response.getFileList()).isEmpty();
  }

  @Test
  void shouldRefuseGapsBetweenFieldNumbers() throws Exception {
    assertRefused(message(field("b", 2, Type.TYPE_INT32)), "Message.b", "numbered 1, 2, 3");
  }

  @Test
  void shouldRefuseTypesThatItDoesNotSupport() throws Exception {
    assertRefused(message(field("f", 1, Type.TYPE_FLOAT)), "Message.f", "FLOAT");
    assertRefused(message(field("f", 1, Type.TYPE_SINT64)), "Message.f", "SINT64");
  }

  @Test
  void shouldRefuseRepeatedNumbersAndOneofs() throws Exception {
    assertRefused(
        message(field("f", 1, Type.TYPE_INT32).setLabel(Label.LABEL_REPEATED)),
        "Message.f",
        "repeated");
    assertRefused(
        message(field("f", 1, Type.TYPE_INT32).setOneofIndex(0))
            .addOneofDecl(OneofDescriptorProto.newBuilder().setName("choice")),
        "Message",
        "oneof");
  }

  @Test
  void shouldRefuseNamesThatGeneratedCodeUses() throws Exception {
    assertRefused(message(field("size", 1, Type.TYPE_INT32)), "Message.size", "option `name`");
  }
}
