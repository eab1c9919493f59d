package io.entroq.service.protojson;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * A field of a message.
 *
 * @param descriptor of the message that is handled here
 * @param kind how its values are written
 * @param shape of its messages; null if it holds none
 * @param number its place among the fields of its message, from 0
 */
record JsonField(FieldDescriptor descriptor, JsonKind kind, JsonShape shape, int number) {
  String name() {
    return descriptor.getJsonName();
  }
}
