package io.entroq.codec.command;

/** A Change inside a Modify. Its id is never nobody. */
public final class ChangeDecoder extends TaskItemDecoder {
  private static final int ID_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VERSION_TAG = 2 << 3 | WireReader.VARINT;
  private static final int DATA_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;

  private int version;

  ChangeDecoder() {}

  void read(WireReader reader) {
    clearTask();
    version = 0;
    int outer = reader.enter("Modify.changes");
    while (reader.hasNext()) {
      int tag = reader.tag("Change");
      switch (tag) {
        case ID_TAG -> id.read(reader, "Change.id");
        case VERSION_TAG -> version = reader.int32("Change.version");
        case DATA_TAG -> readData(reader, "Change.data");
        default -> reader.skip(tag, 3, "Change");
      }
    }
    reader.leave(outer);
    id.checkSomebody(reader, "Change.id");
    if (version < 0) {
      throw reader.malformed("Change.version", "negative: " + version);
    }
    checkData(reader);
  }

  /** The version that the caller saw, not negative. */
  public int version() {
    return version;
  }
}
