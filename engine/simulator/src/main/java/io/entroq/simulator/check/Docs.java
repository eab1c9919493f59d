package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;
import io.entroq.simulator.undo.NameTable;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The docs in the account: blocks found by namespace and id, and an unordered list per namespace.
 */
final class Docs {
  /** A hash of namespace and id. Collisions are as unlikely as those of hashed ids. */
  static final int NAME_HIGH = 0;

  static final int NAME_LOW = 1;

  static final int NAMESPACE = 2;

  static final int HIGH = 3;
  static final int LOW = 4;

  /** Hash of the text of the id; 0 if the key determines it. */
  static final int ID_TEXT = 5;

  static final int VERSION = 6;
  static final int ARRIVAL_MS = 7;
  static final int CLAIMANT_HIGH = 8;
  static final int CLAIMANT_LOW = 9;
  static final int CLAIMANT_TEXT = 10;

  static final int KEY = 11;

  static final int SECONDARY_KEY = 12;

  /** Hash of kind and bytes of the content. */
  static final int VALUE = 13;

  static final int CREATED_MS = 14;
  static final int MODIFIED_MS = 15;

  /** The number of cells that an answer contains. */
  static final int ANSWER_CELLS = 16;

  /** Bytes of keys and content. */
  static final int CONTENT_BYTES = 16;

  /** The record that inserted it. A reused id starts again at the first version. */
  static final int INSERTED_AT = 17;

  /** The record that set its current keys. */
  static final int PLACED_AT = 18;

  /** Neighbors in its namespace. */
  private static final int BEFORE = 19;

  private static final int BEHIND = 20;
  private static final int CELL_COUNT = 21;

  // A namespace: found by the number of its name.
  private static final int FIRST = 2;
  private static final int COUNT = 3;
  private static final int NAMESPACE_CELLS = 4;

  private final Cells cells;
  private final NameTable texts;
  private final KeyTable byName;
  private final KeyTable namespaces;

  /** By key, secondary key and, so that the order is total, id. */
  private final Comparator<Integer> order = this::compare;

  Docs(Cells cells, NameTable texts) {
    this.cells = cells;
    this.texts = texts;
    byName = new KeyTable(cells);
    namespaces = new KeyTable(cells);
  }

  long nameHigh(int namespace, long high) {
    return high ^ SeededRandom.mix(texts.hash(namespace));
  }

  long nameLow(int namespace, long low) {
    return low + texts.hash(namespace);
  }

  /** The doc of a namespace with the id, or {@link Cells#NONE}. */
  int find(int namespace, long high, long low) {
    return findByName(nameHigh(namespace, high), nameLow(namespace, low));
  }

  /** The doc with a hashed name, or {@link Cells#NONE}. */
  int findByName(long nameHigh, long nameLow) {
    return byName.find(nameHigh, nameLow);
  }

  /** A new unclaimed doc. The caller sets everything but namespace and id. */
  int add(int namespace, long high, long low) {
    int doc = cells.allocateCleared(CELL_COUNT);
    cells.set(doc + NAME_HIGH, nameHigh(namespace, high));
    cells.set(doc + NAME_LOW, nameLow(namespace, low));
    cells.set(doc + NAMESPACE, namespace);
    cells.set(doc + HIGH, high);
    cells.set(doc + LOW, low);
    byName.add(doc);
    int block = namespaces.find(namespace, 0);
    if (block == Cells.NONE) {
      block = cells.allocateCleared(NAMESPACE_CELLS);
      cells.set(block, namespace);
      namespaces.add(block);
    }
    int first = cells.ref(block + FIRST);
    cells.set(doc + BEHIND, first);
    if (first != Cells.NONE) {
      cells.set(first + BEFORE, doc);
    }
    cells.set(block + FIRST, doc);
    cells.add(block + COUNT, 1);
    return doc;
  }

  /** Removes a doc, and its namespace with the last one. */
  void remove(int doc) {
    int block = namespaces.find(cells.get(doc + NAMESPACE), 0);
    int before = cells.ref(doc + BEFORE);
    int behind = cells.ref(doc + BEHIND);
    cells.set(before == Cells.NONE ? block + FIRST : before + BEHIND, behind);
    if (behind != Cells.NONE) {
      cells.set(behind + BEFORE, before);
    }
    cells.add(block + COUNT, -1);
    if (cells.get(block + COUNT) == 0) {
      namespaces.remove(block);
      cells.free(block, NAMESPACE_CELLS);
    }
    byName.remove(doc);
    cells.free(doc, CELL_COUNT);
  }

  int size() {
    return byName.size();
  }

  int namespaceCount() {
    return namespaces.size();
  }

  /** The numbers of all namespaces with docs, sorted. */
  int[] namespaces() {
    int[] names = new int[namespaces.size()];
    int found = 0;
    for (int place = 0; place < namespaces.places(); place++) {
      int block = namespaces.at(place);
      if (block != Cells.NONE) {
        names[found++] = cells.ref(block);
      }
    }
    Arrays.sort(names);
    return names;
  }

  int count(int namespace) {
    int block = namespaces.find(namespace, 0);
    return block == Cells.NONE ? 0 : cells.ref(block + COUNT);
  }

  /** How many docs of a namespace are claimed at a time. */
  int held(int namespace, long nowMs) {
    int held = 0;
    for (int doc = first(namespace); doc != Cells.NONE; doc = next(doc)) {
      held += isHeld(doc, nowMs) ? 1 : 0;
    }
    return held;
  }

  /** Some doc of a namespace, followed by {@link #next}; or {@link Cells#NONE}. */
  int first(int namespace) {
    int block = namespaces.find(namespace, 0);
    return block == Cells.NONE ? Cells.NONE : cells.ref(block + FIRST);
  }

  /** The next doc of the same namespace, or {@link Cells#NONE}. */
  int next(int doc) {
    return cells.ref(doc + BEHIND);
  }

  /** Sorts docs in the order of listings. */
  void sort(List<Integer> docs) {
    docs.sort(order);
  }

  /** Compares docs by the order of listings. */
  int compare(int a, int b) {
    int keys = compareTexts(cells.ref(a + KEY), cells.ref(b + KEY));
    if (keys == 0) {
      keys = compareTexts(cells.ref(a + SECONDARY_KEY), cells.ref(b + SECONDARY_KEY));
    }
    if (keys == 0) {
      keys = Long.compareUnsigned(cells.get(a + HIGH), cells.get(b + HIGH));
    }
    return keys != 0 ? keys : Long.compareUnsigned(cells.get(a + LOW), cells.get(b + LOW));
  }

  /** Compares texts by their unsigned bytes. */
  int compareTexts(int a, int b) {
    return a == b ? 0 : Arrays.compareUnsigned(texts.bytes(a), texts.bytes(b));
  }

  boolean isHeld(int doc, long nowMs) {
    return cells.get(doc + ARRIVAL_MS) > nowMs
        && (cells.get(doc + CLAIMANT_HIGH) | cells.get(doc + CLAIMANT_LOW)) != 0;
  }

  boolean isHeldByAnother(int doc, long high, long low, long nowMs) {
    return isHeld(doc, nowMs)
        && (cells.get(doc + CLAIMANT_HIGH) != high || cells.get(doc + CLAIMANT_LOW) != low);
  }

  /** Whether a doc still exists at the version of a receipt. */
  boolean isUnchanged(int doc, long version, long insertedAt) {
    return doc != Cells.NONE
        && cells.get(doc + VERSION) == version
        && cells.get(doc + INSERTED_AT) == insertedAt;
  }

  /** An id and its namespace as printed. */
  String name(int namespace, long high, long low) {
    return String.format(Locale.ROOT, "%s in %s", Tasks.name(high, low), texts.text(namespace));
  }

  String name(int doc) {
    return name(cells.ref(doc + NAMESPACE), cells.get(doc + HIGH), cells.get(doc + LOW));
  }
}
