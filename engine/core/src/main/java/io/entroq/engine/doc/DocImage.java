package io.entroq.engine.doc;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.ItemImage;
import org.agrona.UnsafeApi;

/** Writes frozen docs, each with the name of its namespace and the key of its set. */
public final class DocImage implements ItemImage {

  /** Size of an item without texts and value. */
  public static final int ITEM_BYTES = 64;

  private final FrozenArena arena;

  public DocImage(FrozenArena arena) {
    this.arena = arena;
  }

  @Override
  public void write(int slot, long record, ChunkWriter out) {
    long name = arena.address(UnsafeApi.getLong(record + DocStore.NAMESPACE_NAME));
    long content = arena.address(UnsafeApi.getLong(record + DocStore.BLOCK));
    int nameLength = UnsafeApi.getInt(name);
    int keyLength = UnsafeApi.getShort(content + DocStore.KEY_LENGTH);
    int secondaryLength = UnsafeApi.getShort(content + DocStore.SECONDARY_LENGTH);
    int idTextLength = UnsafeApi.getShort(content + DocStore.ID_TEXT_LENGTH);
    int valueLength = UnsafeApi.getInt(content + DocStore.VALUE_LENGTH);
    int contentLength = keyLength + secondaryLength + idTextLength + valueLength;
    out.begin(ChunkKinds.DOCS, ITEM_BYTES + nameLength + contentLength);
    out.putInt(UnsafeApi.getInt(record + DocStore.FLAGS));
    out.putLong(UnsafeApi.getLong(record + DocStore.ID_HIGH));
    out.putLong(UnsafeApi.getLong(record + DocStore.ID_LOW));
    out.putLong(UnsafeApi.getLong(record + DocStore.INSERT_SEQUENCE));
    out.putLong(UnsafeApi.getLong(record + DocStore.CREATED));
    out.putLong(UnsafeApi.getLong(record + DocStore.MODIFIED));
    out.putInt(nameLength);
    out.putInt(keyLength);
    out.putInt(secondaryLength);
    out.putInt(idTextLength);
    out.putInt(valueLength);
    out.putBytes(name + Integer.BYTES, nameLength);
    out.putBytes(content + DocStore.BLOCK_HEADER_BYTES, contentLength);
  }
}
