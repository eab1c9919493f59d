package io.entroq.codec.generator;

import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of one protoc run, with their comments and options from {@code flyweight.proto}. */
final class Schema {
  private static final String OPTIONS = "entroq/log/v1/flyweight.proto";

  private final Map<String, FileDescriptor> files = new HashMap<>();
  private final Map<String, String> comments = new HashMap<>();

  private Schema() {}

  static Schema parse(byte[] request) throws InvalidProtocolBufferException {
    // Parse twice: the options can be read only when their own schema is known.
    Schema plain = new Schema();
    plain.add(CodeGeneratorRequest.parseFrom(request));
    ExtensionRegistry registry = ExtensionRegistry.newInstance();
    if (plain.files.containsKey(OPTIONS)) {
      plain.files.get(OPTIONS).getExtensions().forEach(registry::add);
    }
    Schema schema = new Schema();
    schema.files.put(OPTIONS, plain.files.get(OPTIONS));
    schema.add(CodeGeneratorRequest.parseFrom(request, registry));
    return schema;
  }

  private void add(CodeGeneratorRequest request) {
    // Options must extend the descriptor classes that this program was compiled with.
    FileDescriptor descriptor = DescriptorProtos.getDescriptor();
    files.put(descriptor.getFullName(), descriptor);
    for (FileDescriptorProto file : request.getProtoFileList()) {
      files.computeIfAbsent(file.getName(), name -> link(file));
      addComments(file);
    }
  }

  private FileDescriptor link(FileDescriptorProto file) {
    FileDescriptor[] imports =
        file.getDependencyList().stream().map(files::get).toArray(FileDescriptor[]::new);
    try {
      return FileDescriptor.buildFrom(file, imports);
    } catch (DescriptorValidationException e) {
      throw new SchemaException(file.getName(), e.getMessage());
    }
  }

  private void addComments(FileDescriptorProto file) {
    for (Location location : file.getSourceCodeInfo().getLocationList()) {
      comments.put(file.getName() + location.getPathList(), location.getLeadingComments().strip());
    }
  }

  FileDescriptor file(String name) {
    return files.get(name);
  }

  /** The comment before an element, given its path in {@code SourceCodeInfo}. */
  String comment(FileDescriptor file, Integer... path) {
    return comments.getOrDefault(file.getFullName() + List.of(path), "");
  }

  /** The Java package of a file's flyweights; empty if it has none. */
  String javaPackage(FileDescriptor file) {
    return text(file, "flyweight_package");
  }

  boolean flag(GenericDescriptor element, String option) {
    return option(element, option).map(Boolean.class::cast).orElse(false);
  }

  String text(GenericDescriptor element, String option) {
    return option(element, option).map(String.class::cast).orElse("");
  }

  Optional<Object> option(GenericDescriptor element, String name) {
    if (files.get(OPTIONS) == null) {
      return Optional.empty();
    }
    FieldDescriptor option = files.get(OPTIONS).findExtensionByName(name);
    Message options = element.toProto();
    options = (Message) options.getField(options.getDescriptorForType().findFieldByName("options"));
    return options.hasField(option) ? Optional.of(options.getField(option)) : Optional.empty();
  }
}
