package io.entroq.service.protojson;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Value;

/** How JSON represents the values of a field. */
enum JsonKind {
  TEXT,
  INT32,
  /** In quotes, since JavaScript cannot represent all of them as numbers. */
  INT64,
  /** In quotes, like INT64. */
  UINT64,
  BOOL,
  /** In base64. */
  BYTES,
  /** By name. */
  ENUM,
  /** Any JSON; the message holds the bytes of a google.protobuf.Value. */
  VALUE,
  MESSAGE;

  /**
   * The kind of a field.
   *
   * @param published the same field in the published schema, which distinguishes values from bytes
   */
  static JsonKind of(FieldDescriptor field, FieldDescriptor published) {
    return switch (field.getType()) {
      case STRING -> TEXT;
      case INT32 -> INT32;
      case INT64 -> INT64;
      case UINT64 -> UINT64;
      case BOOL -> BOOL;
      case ENUM -> ENUM;
      case MESSAGE -> MESSAGE;
      case BYTES -> isValue(published) ? VALUE : BYTES;
      default -> throw new IllegalArgumentException("no JSON for " + field.getFullName());
    };
  }

  private static boolean isValue(FieldDescriptor published) {
    return published.getType() == FieldDescriptor.Type.MESSAGE
        && published.getMessageType().equals(Value.getDescriptor());
  }
}
