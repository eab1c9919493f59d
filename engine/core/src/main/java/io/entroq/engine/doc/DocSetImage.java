package io.entroq.engine.doc;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.ItemImage;
import org.agrona.UnsafeApi;

/** Writes frozen doc sets, each with the name of its namespace and its number of docs. */
public final class DocSetImage implements ItemImage {

  /** Size of an item without texts. */
  public static final int ITEM_BYTES = 68;

  private final FrozenArena arena;

  public DocSetImage(FrozenArena arena) {
    this.arena = arena;
  }

  @Override
  public void write(int slot, long record, ChunkWriter out) {
    long name = arena.address(UnsafeApi.getLong(record + DocSetStore.NAMESPACE_NAME));
    long key = arena.address(UnsafeApi.getLong(record + DocSetStore.KEY));
    int nameLength = UnsafeApi.getInt(name);
    int keyLength = UnsafeApi.getInt(key);
    out.begin(ChunkKinds.DOC_SETS, ITEM_BYTES + nameLength + keyLength);
    out.putInt(UnsafeApi.getInt(record + DocSetStore.FLAGS) & DocSetStore.CLAIMANT_TEXT);
    out.putInt(UnsafeApi.getInt(record + DocSetStore.VERSION));
    out.putLong(UnsafeApi.getLong(record + DocSetStore.CREATED_SEQUENCE));
    out.putLong(UnsafeApi.getLong(record + DocSetStore.ORDER));
    out.putLong(UnsafeApi.getLong(record + DocSetStore.ARRIVAL));
    out.putLong(UnsafeApi.getLong(record + DocSetStore.CLAIMANT_HIGH));
    out.putLong(UnsafeApi.getLong(record + DocSetStore.CLAIMANT_LOW));
    out.putLong(UnsafeApi.getLong(record + DocSetStore.MODIFIED));
    out.putInt(UnsafeApi.getInt(record + DocSetStore.DOCS));
    out.putInt(nameLength);
    out.putInt(keyLength);
    out.putBytes(name + Integer.BYTES, nameLength);
    out.putBytes(key + Integer.BYTES, keyLength);
  }
}
