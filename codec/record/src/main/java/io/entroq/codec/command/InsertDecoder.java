package io.entroq.codec.command;

/** An Insert inside a Modify. Its id is never nobody. */
public final class InsertDecoder extends TaskItemDecoder {
  private static final int ID_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DATA_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;

  InsertDecoder() {}

  void read(WireReader reader) {
    clearTask();
    int outer = reader.enter("Modify.inserts");
    while (reader.hasNext()) {
      int tag = reader.tag("Insert");
      switch (tag) {
        case ID_TAG -> id.read(reader, "Insert.id");
        case DATA_TAG -> readData(reader, "Insert.data");
        default -> reader.skip(tag, 2, "Insert");
      }
    }
    reader.leave(outer);
    id.checkSomebody(reader, "Insert.id");
    checkData(reader);
  }
}
