package io.entroq.codec.wire;

/** Tags of google.protobuf.Value, Struct and ListValue: field number times eight plus wire type. */
final class ValueTags {
  static final int NULL = 1 << 3;
  static final int NUMBER = 2 << 3 | 1;
  static final int STRING = 3 << 3 | 2;
  static final int BOOL = 4 << 3;
  static final int STRUCT = 5 << 3 | 2;
  static final int LIST = 6 << 3 | 2;
  static final int VALUE_FIELD_MAX = 6;

  /** Struct.fields, and ListValue.values. */
  static final int ITEMS = 1 << 3 | 2;

  static final int ENTRY_KEY = 1 << 3 | 2;
  static final int ENTRY_VALUE = 2 << 3 | 2;

  private ValueTags() {}
}
