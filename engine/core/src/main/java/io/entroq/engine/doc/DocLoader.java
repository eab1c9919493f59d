package io.entroq.engine.doc;

import io.entroq.codec.message.FieldLimits;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Loads the docs and doc sets of an image, with their namespaces and order: {@link #loadDoc} and
 * {@link #loadSet} for the items, in any order, then {@link #link}. The caller adds leases, which
 * depend on the time.
 */
public final class DocLoader {

  private static final int VALUE_KIND_MAX = 2;

  /** The version of a set whose docs came before its own item. */
  private static final int NOT_LOADED = -1;

  private final NamespaceStore namespaces;
  private final DocSetStore sets;
  private final DocStore docs;
  private final KeyTree tree;
  private final Bytes key = new Bytes();
  private final Bytes secondary = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes value = new Bytes();

  /** By slot: the number of docs that the item of a set states. */
  private final IntArrayList statedDocs = new IntArrayList();

  public DocLoader(NamespaceStore namespaces, DocSetStore sets, DocStore docs, KeyTree tree) {
    this.namespaces = namespaces;
    this.sets = sets;
    this.docs = docs;
    this.tree = tree;
  }

  /**
   * Adds the set of an item.
   *
   * @param sequenceMax the sequence of the image: no set was created later
   */
  public void loadSet(ChunkReader in, long sequenceMax) {
    int flags = in.getInt();
    in.require((flags & ~DocSetStore.CLAIMANT_TEXT) == 0, "flags", flags);
    int version = in.getInt();
    in.require(version >= 0, "version", version);
    long created = in.getLong();
    in.require(created > 0 && created <= sequenceMax, "sequence of the first write", created);
    long order = in.getLong();
    in.require(order > 0 && order < Long.MAX_VALUE, "order", order);
    long arrivalMs = in.getLong();
    long claimantHigh = in.getLong();
    long claimantLow = in.getLong();
    boolean hasText = flags != 0;
    in.require(!hasText || (claimantHigh | claimantLow) != 0, "text of claimant", 0);
    long modifiedMs = in.getLong();
    int docCount = in.getInt();
    in.require(docCount >= 0, "docs of a set", docCount);
    int nameLength = in.getInt();
    int keyLength = in.getInt();
    in.require(nameLength > 0, "bytes of a namespace", nameLength);
    int name = in.takeText(nameLength, FieldLimits.TEXT_BYTES_MAX);
    key.set(in.buffer(), in.takeText(keyLength, FieldLimits.TEXT_BYTES_MAX), keyLength);
    int set = findOrAdd(in.buffer(), name, nameLength);
    in.require(sets.version(set) == NOT_LOADED, "two sets of one key, version", version);
    sets.version(set, version);
    sets.createdSequence(set, created);
    sets.restoreOrder(set, order);
    sets.arrivalMs(set, arrivalMs);
    sets.claimant(set, claimantHigh, claimantLow, hasText);
    sets.modifiedMs(set, modifiedMs);
    statedDocs.setInt(set, docCount);
  }

  /** The set of {@link #key}, whose item may follow. */
  private int findOrAdd(UnsafeBuffer buffer, int name, int nameLength) {
    int namespace = namespaces.findOrAdd(buffer, name, nameLength);
    int set = sets.find(namespace, key.buffer(), key.offset(), key.length());
    if (set == Slab.NONE) {
      set = sets.add(namespace, key.buffer(), key.offset(), key.length());
      sets.version(set, NOT_LOADED);
      statedDocs.addInt(0);
    }
    return set;
  }

  /**
   * Adds the doc of an item.
   *
   * @param sequenceMax the sequence of the image: no doc was inserted later
   */
  public void loadDoc(ChunkReader in, long sequenceMax) {
    int kind = in.getInt();
    in.require(kind >= 0 && kind <= VALUE_KIND_MAX, "kind of value", kind);
    long idHigh = in.getLong();
    long idLow = in.getLong();
    in.require((idHigh | idLow) != 0, "id", 0);
    long inserted = in.getLong();
    in.require(inserted > 0 && inserted <= sequenceMax, "sequence of the insert", inserted);
    long createdMs = in.getLong();
    long modifiedMs = in.getLong();
    int doc = add(in, idHigh, idLow, kind);
    docs.insertSequence(doc, inserted);
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
    int set = findOrAdd(buffer, name, nameLength);
    int other = tree.find(sets.namespace(set), key, secondary);
    in.require(other == Slab.NONE, "two docs of one place, id", idLow);
    int doc = docs.add(set, idHigh, idLow);
    docs.content(doc, key, secondary, idText, kind, value);
    tree.add(doc);
    return doc;
  }

  /** Checks that docs and sets belong together, and lists the sets without docs in their order. */
  public void link() {
    List<Integer> unused = new ArrayList<>();
    for (int set = 0; set < sets.size(); set++) {
      if (sets.version(set) == NOT_LOADED) {
        throw wrong(set, "is missing");
      }
      if (sets.docCount(set) != statedDocs.getInt(set)) {
        throw wrong(set, "has " + sets.docCount(set) + " docs, not " + statedDocs.getInt(set));
      }
      if (sets.docCount(set) == 0) {
        unused.add(set);
      }
    }
    unused.sort(Comparator.comparingLong(sets::order));
    int before = Slab.NONE;
    for (int set : unused) {
      if (before != Slab.NONE && sets.order(before) == sets.order(set)) {
        throw wrong(set, "has the order " + sets.order(set) + " of another");
      }
      sets.list(set);
      before = set;
    }
  }

  private ImageException wrong(int set, String what) {
    sets.key(set, key);
    String name = key.buffer().getStringWithoutLengthUtf8(key.offset(), key.length());
    return new ImageException("the doc set of key '" + name + "' " + what);
  }
}
