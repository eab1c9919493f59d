package io.entroq.engine.doc;

import io.entroq.codec.message.FieldLimits;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Loads the docs of an image with their namespaces and order: {@link #load} for each item. The
 * caller adds leases, which depend on the time.
 */
public final class DocLoader {

  private static final int KNOWN_FLAGS = DocStore.KIND_MASK | DocStore.CLAIMANT_TEXT;
  private static final int VALUE_KIND_MAX = 2;

  private final NamespaceStore namespaces;
  private final DocStore docs;
  private final KeyTree tree;
  private final Bytes key = new Bytes();
  private final Bytes secondary = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes value = new Bytes();

  public DocLoader(NamespaceStore namespaces, DocStore docs, KeyTree tree) {
    this.namespaces = namespaces;
    this.docs = docs;
    this.tree = tree;
  }

  /**
   * Adds the doc of an item.
   *
   * @param sequenceMax the sequence of the image: no doc was inserted later
   */
  public void load(ChunkReader in, long sequenceMax) {
    int flags = in.getInt();
    in.require((flags & ~KNOWN_FLAGS) == 0, "flags", flags);
    int kind = flags & DocStore.KIND_MASK;
    in.require(kind <= VALUE_KIND_MAX, "kind of value", kind);
    int version = in.getInt();
    in.require(version > 0, "version", version);
    long idHigh = in.getLong();
    long idLow = in.getLong();
    in.require((idHigh | idLow) != 0, "id", 0);
    long inserted = in.getLong();
    in.require(inserted > 0 && inserted <= sequenceMax, "sequence of the insert", inserted);
    long arrivalMs = in.getLong();
    long claimantHigh = in.getLong();
    long claimantLow = in.getLong();
    long createdMs = in.getLong();
    long modifiedMs = in.getLong();
    int doc = add(in, idHigh, idLow, kind);
    docs.version(doc, version);
    docs.insertSequence(doc, inserted);
    docs.arrivalMs(doc, arrivalMs);
    docs.claimant(doc, claimantHigh, claimantLow, (flags & DocStore.CLAIMANT_TEXT) != 0);
    docs.createdMs(doc, createdMs);
    docs.modifiedMs(doc, modifiedMs);
  }

  private int add(ChunkReader in, long idHigh, long idLow, int kind) {
    int nameLength = in.getInt();
    int keyLength = in.getInt();
    int secondaryLength = in.getInt();
    int idTextLength = in.getInt();
    int valueLength = in.getInt();
    in.require(nameLength > 0, "bytes of a namespace", nameLength);
    in.require(kind != 0 || valueLength == 0, "bytes of a value that is absent", valueLength);
    UnsafeBuffer buffer = in.buffer();
    int name = in.takeText(nameLength, FieldLimits.TEXT_BYTES_MAX);
    key.set(buffer, in.takeText(keyLength, FieldLimits.TEXT_BYTES_MAX), keyLength);
    secondary.set(
        buffer, in.takeText(secondaryLength, FieldLimits.TEXT_BYTES_MAX), secondaryLength);
    idText.set(buffer, in.takeText(idTextLength, FieldLimits.TEXT_BYTES_MAX), idTextLength);
    value.set(buffer, in.take(valueLength), valueLength);
    int namespace = namespaces.find(buffer, name, nameLength);
    in.require(docs.find(namespace, idHigh, idLow) == Slab.NONE, "two docs of id", idLow);
    namespace = namespaces.findOrAdd(buffer, name, nameLength);
    int doc = docs.add(namespace, idHigh, idLow);
    docs.content(doc, key, secondary, idText, kind, value);
    tree.add(doc);
    return doc;
  }
}
