package io.entroq.codec.wire;

/**
 * Checks a serialized google.protobuf.Value without building objects. Strict: a Value has no fields
 * but those of its schema.
 */
final class ValueChecker {
  private final ValueCursor cursor;

  ValueChecker(ValueCursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Checks the Value up to the cursor's limit.
   *
   * @param depth number of enclosing lists and objects
   */
  void check(int depth) {
    boolean hasKind = false;
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag >>> 3 > ValueTags.VALUE_FIELD_MAX) {
        throw cursor.unexpected(tag, ValueTags.VALUE_FIELD_MAX);
      }
      if (hasKind) {
        throw cursor.invalid("a Value with two kinds");
      }
      hasKind = true;
      checkKind(tag, depth);
    }
    if (!hasKind) {
      throw cursor.invalid("a Value without a kind");
    }
  }

  private void checkKind(int tag, int depth) {
    switch (tag) {
      case ValueTags.NULL, ValueTags.BOOL -> cursor.varint();
      case ValueTags.NUMBER -> checkNumber();
      case ValueTags.STRING -> cursor.skipText();
      case ValueTags.STRUCT -> checkStruct(inner(depth));
      case ValueTags.LIST -> checkList(inner(depth));
      default -> throw cursor.unexpected(tag, ValueTags.VALUE_FIELD_MAX);
    }
  }

  private int inner(int depth) {
    if (depth == Limits.VALUE_DEPTH_MAX) {
      throw cursor.invalid("nested deeper than " + Limits.VALUE_DEPTH_MAX);
    }
    return depth + 1;
  }

  private void checkNumber() {
    double number = cursor.number();
    if (!Double.isFinite(number)) {
      throw cursor.invalid(number + " is not a JSON number");
    }
  }

  private void checkList(int depth) {
    int outer = cursor.enter();
    int index = 0;
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag == ValueTags.ITEMS) {
        checkElement(index++, depth);
      } else {
        throw cursor.unexpected(tag, 1);
      }
    }
    cursor.limit(outer);
  }

  private void checkElement(int index, int depth) {
    try {
      int outer = cursor.enter();
      check(depth);
      cursor.limit(outer);
    } catch (InvalidValueException e) {
      throw e.inElement(index);
    }
  }

  private void checkStruct(int depth) {
    int outer = cursor.enter();
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag == ValueTags.ITEMS) {
        checkMember(depth);
      } else {
        throw cursor.unexpected(tag, 1);
      }
    }
    cursor.limit(outer);
  }

  private void checkMember(int depth) {
    int outer = cursor.enter();
    int keyAt = -1;
    boolean hasValue = false;
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag == ValueTags.ENTRY_KEY && keyAt < 0) {
        keyAt = cursor.position();
        cursor.skipText();
      } else if (tag == ValueTags.ENTRY_VALUE && !hasValue) {
        hasValue = true;
        checkMemberValue(keyAt, depth);
      } else {
        throw cursor.unexpected(tag, 2);
      }
    }
    if (!hasValue) {
      throw cursor.invalid("a member without a value").inMember(key(keyAt));
    }
    cursor.limit(outer);
  }

  private void checkMemberValue(int keyAt, int depth) {
    try {
      int outer = cursor.enter();
      check(depth);
      cursor.limit(outer);
    } catch (InvalidValueException e) {
      throw e.inMember(key(keyAt));
    }
  }

  private String key(int keyAt) {
    return keyAt < 0 ? "" : cursor.textAt(keyAt);
  }
}
