package io.entroq.service.protojson;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Value;

/** How the values of a field are written. */
enum JsonKind {
  TEXT,
  INT32,
  /** In quotes, since JavaScript has no numbers for all of them. */
  INT64,
  /** As well. */
  UINT64,
  BOOL,
  /** In base64. */
  BYTES,
  /** By name. */
  ENUM,
  /** Any JSON; what is handled here are the bytes of a google.protobuf.Value. */
  VALUE,
  MESSAGE;

  /**
   * What a field has.
   *
   * @param published the same field as the API publishes it, which alone tells values from bytes
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
