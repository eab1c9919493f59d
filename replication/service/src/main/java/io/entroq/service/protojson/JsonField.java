package io.entroq.service.protojson;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * A field of a message.
 *
 * @param descriptor the field
 * @param kind how its values are written
 * @param shape of its messages; null if it has none
 * @param number its place among the fields, from 0
 */
record JsonField(FieldDescriptor descriptor, JsonKind kind, JsonShape shape, int number) {
  String name() {
    return descriptor.getJsonName();
  }
}
