package io.entroq.codec.result;

import io.entroq.codec.command.WireReader;

/** Reads the Item inside a Result. */
final class ItemDecoder {
  private static final int ITEM_KIND_TAG = 1 << 3 | WireReader.VARINT;
  private static final int INDEX_TAG = 2 << 3 | WireReader.VARINT;

  private int itemKind;
  private int index;

  void clear() {
    itemKind = ItemKinds.NONE;
    index = 0;
  }

  void read(WireReader reader) {
    int outer = reader.enter("Result.item");
    while (reader.hasNext()) {
      int tag = reader.tag("Item");
      switch (tag) {
        case ITEM_KIND_TAG -> itemKind = reader.enumeration("Item.item_kind", ItemKinds.MAX);
        case INDEX_TAG -> index = reader.int32("Item.index");
        default -> reader.skip(tag, 2, "Item");
      }
    }
    reader.leave(outer);
  }

  int itemKind() {
    return itemKind;
  }

  int index() {
    return index;
  }
}
