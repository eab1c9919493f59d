package io.entroq.service.protojson;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * A field of a message.
 *
 * @param shape the shape of a message field; null for other kinds
 * @param index among the fields of the message, from 0
 */
record JsonField(FieldDescriptor descriptor, JsonKind kind, JsonShape shape, int index) {
  String name() {
    return descriptor.getJsonName();
  }
}
