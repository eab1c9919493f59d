package io.entroq.codec.wire;

import java.util.Map;
import java.util.TreeMap;

/** Prints a serialized, already checked google.protobuf.Value as JSON text. */
final class JsonPrinter {
  private final ValueCursor cursor;
  private final StringBuilder out;

  JsonPrinter(ValueCursor cursor, StringBuilder out) {
    this.cursor = cursor;
    this.out = out;
  }

  /** Prints the Value up to the cursor's limit. */
  void print() {
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      switch (tag) {
        case ValueTags.NULL -> {
          cursor.varint();
          out.append("null");
        }
        case ValueTags.BOOL -> out.append(cursor.varint() != 0);
        case ValueTags.NUMBER -> JsonNumbers.append(out, cursor.number());
        case ValueTags.STRING -> JsonText.append(out, cursor.text());
        case ValueTags.STRUCT -> printStruct();
        case ValueTags.LIST -> printList();
        default -> cursor.skip(tag, ValueTags.VALUE_FIELD_MAX);
      }
    }
  }

  private void printList() {
    out.append('[');
    int outer = cursor.enter();
    boolean isFirst = true;
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag != ValueTags.ITEMS) {
        cursor.skip(tag, 1);
        continue;
      }
      if (!isFirst) {
        out.append(',');
      }
      isFirst = false;
      int list = cursor.enter();
      print();
      cursor.limit(list);
    }
    cursor.limit(outer);
    out.append(']');
  }

  private void printStruct() {
    int outer = cursor.enter();
    // Sorted, so that equal objects print alike; the last of duplicate keys wins.
    Map<String, Integer> members = new TreeMap<>();
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag == ValueTags.ITEMS) {
        collectMember(members);
      } else {
        cursor.skip(tag, 1);
      }
    }
    int end = cursor.position();
    out.append('{');
    boolean isFirst = true;
    for (Map.Entry<String, Integer> member : members.entrySet()) {
      if (!isFirst) {
        out.append(',');
      }
      isFirst = false;
      JsonText.append(out, member.getKey());
      out.append(':');
      cursor.position(member.getValue());
      int struct = cursor.enter();
      print();
      cursor.limit(struct);
    }
    out.append('}');
    cursor.position(end);
    cursor.limit(outer);
  }

  private void collectMember(Map<String, Integer> members) {
    int outer = cursor.enter();
    String key = "";
    int valueAt = -1;
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag == ValueTags.ENTRY_KEY) {
        key = cursor.text();
      } else if (tag == ValueTags.ENTRY_VALUE) {
        valueAt = cursor.position();
        cursor.skipBytes();
      } else {
        cursor.skip(tag, 2);
      }
    }
    cursor.limit(outer);
    members.put(key, valueAt);
  }
}
