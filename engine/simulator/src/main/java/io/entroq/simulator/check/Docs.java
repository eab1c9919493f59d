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
 * The docs and doc sets in the account. Docs are found by namespace and id, sets by namespace and
 * key. A set exists from its first insert or claim on, also without docs.
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

  static final int KEY = 6;

  static final int SECONDARY_KEY = 7;

  /** Hash of kind and bytes of the content. */
  static final int VALUE = 8;

  static final int CREATED_MS = 9;
  static final int MODIFIED_MS = 10;

  /** The first cells of an answer are those of the doc itself; the others are those of its set. */
  static final int OWN_CELLS = 11;

  /** The cells of an answer that show a doc's set, in the order of the cells of a set. */
  static final int VERSION = 11;

  static final int ARRIVAL_MS = 12;
  static final int CLAIMANT_HIGH = 13;
  static final int CLAIMANT_LOW = 14;
  static final int CLAIMANT_TEXT = 15;

  /** In an answer: the number of docs of a set; 0 of a doc. */
  static final int COUNT = 16;

  /** The number of cells that an answer contains. */
  static final int ANSWER_CELLS = 17;

  // Further cells of a doc.

  /** The block of its set. */
  private static final int SET = 11;

  /** Bytes of keys and content. */
  static final int CONTENT_BYTES = 12;

  /** The record that inserted it. A reused id is another doc. */
  static final int INSERTED_AT = 13;

  /** Neighbors in its set. */
  private static final int BEFORE = 14;

  private static final int BEHIND = 15;
  private static final int CELL_COUNT = 16;

  /** The cells of a set. The first two, number of the namespace and of the key, find it. */
  static final class Sets {
    static final int NAMESPACE = 0;
    static final int KEY = 1;
    static final int VERSION = 2;
    static final int ARRIVAL_MS = 3;
    static final int CLAIMANT_HIGH = 4;
    static final int CLAIMANT_LOW = 5;
    static final int CLAIMANT_TEXT = 6;

    /** How many docs it has. */
    static final int COUNT = 7;

    /** Log time of its last write. */
    static final int MODIFIED_MS = 8;

    /** The record that stored it. A set that was forgotten begins again at the first version. */
    static final int STORED_AT = 9;

    private static final int FIRST = 10;

    /** Neighbors in its namespace. */
    private static final int BEFORE = 11;

    private static final int BEHIND = 12;

    /** Neighbors among the sets without docs, in the order of their last writes. */
    private static final int OLDER = 13;

    private static final int NEWER = 14;

    private static final int IS_LISTED = 15;
    private static final int CELL_COUNT = 16;

    private Sets() {}
  }

  // A namespace: found by the number of its name.
  private static final int FIRST_SET = 2;
  private static final int DOC_COUNT = 3;
  private static final int SET_COUNT = 4;
  private static final int NAMESPACE_CELLS = 5;

  /** Beyond this many sets without docs, those that nobody holds are forgotten. */
  static final int UNUSED_SETS_MAX = 65_536;

  // The list of sets without docs.
  private static final int OLDEST = 0;
  private static final int NEWEST = 1;
  private static final int LISTED = 2;

  private final Cells cells;
  private final NameTable texts;
  private final int unused;
  private final KeyTable byName;
  private final KeyTable sets;
  private final KeyTable namespaces;

  /** By key, secondary key and, so that the order is total, id. */
  private final Comparator<Integer> order = this::compare;

  Docs(Cells cells, NameTable texts) {
    this.cells = cells;
    this.texts = texts;
    unused = cells.allocateCleared(LISTED + 1);
    byName = new KeyTable(cells);
    sets = new KeyTable(cells);
    namespaces = new KeyTable(cells);
  }

  long nameHigh(int namespace, long high) {
    return high ^ SeededRandom.mix(texts.hash(namespace));
  }

  long nameLow(int namespace, long low) {
    return low + texts.hash(namespace);
  }

  // Docs.

  /** The doc of a namespace with the id, or {@link Cells#NONE}. */
  int find(int namespace, long high, long low) {
    return findByName(nameHigh(namespace, high), nameLow(namespace, low));
  }

  /** The doc with a hashed name, or {@link Cells#NONE}. */
  int findByName(long nameHigh, long nameLow) {
    return byName.find(nameHigh, nameLow);
  }

  /** A new doc of a set. The caller sets everything but namespace, key and id. */
  int add(int set, long high, long low) {
    int doc = cells.allocateCleared(CELL_COUNT);
    int namespace = cells.ref(set + Sets.NAMESPACE);
    cells.set(doc + NAME_HIGH, nameHigh(namespace, high));
    cells.set(doc + NAME_LOW, nameLow(namespace, low));
    cells.set(doc + NAMESPACE, namespace);
    cells.set(doc + HIGH, high);
    cells.set(doc + LOW, low);
    cells.set(doc + KEY, cells.get(set + Sets.KEY));
    cells.set(doc + SET, set);
    byName.add(doc);
    link(set + Sets.FIRST, doc, BEFORE, BEHIND);
    count(set, 1);
    return doc;
  }

  /** Removes a doc; its set stays. */
  void remove(int doc) {
    int set = setOf(doc);
    unlink(set + Sets.FIRST, doc, BEFORE, BEHIND);
    byName.remove(doc);
    cells.free(doc, CELL_COUNT);
    count(set, -1);
  }

  private void count(int set, int more) {
    cells.add(set + Sets.COUNT, more);
    cells.add(namespaces.find(cells.get(set + Sets.NAMESPACE), 0) + DOC_COUNT, more);
  }

  int size() {
    return byName.size();
  }

  /** The block of a doc's set. */
  int setOf(int doc) {
    return cells.ref(doc + SET);
  }

  // Sets.

  /** The set with the key in a namespace, or {@link Cells#NONE} if nothing is stored for it. */
  int findSet(int namespace, int key) {
    return sets.find(namespace, key);
  }

  /** A new set without docs, which nobody holds, at version 0. */
  int addSet(int namespace, int key, long storedAt) {
    int set = cells.allocateCleared(Sets.CELL_COUNT);
    cells.set(set + Sets.NAMESPACE, namespace);
    cells.set(set + Sets.KEY, key);
    cells.set(set + Sets.STORED_AT, storedAt);
    sets.add(set);
    int block = namespaces.find(namespace, 0);
    if (block == Cells.NONE) {
      block = cells.allocateCleared(NAMESPACE_CELLS);
      cells.set(block, namespace);
      namespaces.add(block);
    }
    link(block + FIRST_SET, set, Sets.BEFORE, Sets.BEHIND);
    cells.add(block + SET_COUNT, 1);
    return set;
  }

  /** A set was written: without docs, it is the newest of those that may be forgotten. */
  void written(int set) {
    if (cells.get(set + Sets.IS_LISTED) != 0) {
      unlist(set);
    }
    if (cells.get(set + Sets.COUNT) > 0) {
      return;
    }
    int newest = cells.ref(unused + NEWEST);
    cells.set(newest == Cells.NONE ? unused + OLDEST : newest + Sets.NEWER, set);
    cells.set(set + Sets.OLDER, newest);
    cells.set(set + Sets.NEWER, Cells.NONE);
    cells.set(unused + NEWEST, set);
    cells.set(set + Sets.IS_LISTED, 1);
    cells.add(unused + LISTED, 1);
  }

  private void unlist(int set) {
    int older = cells.ref(set + Sets.OLDER);
    int newer = cells.ref(set + Sets.NEWER);
    cells.set(older == Cells.NONE ? unused + OLDEST : older + Sets.NEWER, newer);
    cells.set(newer == Cells.NONE ? unused + NEWEST : newer + Sets.OLDER, older);
    cells.set(set + Sets.IS_LISTED, 0);
    cells.add(unused + LISTED, -1);
  }

  /** The set without docs that was written longest ago if there are too many, or else none. */
  int firstToForget() {
    return cells.get(unused + LISTED) > UNUSED_SETS_MAX ? cells.ref(unused + OLDEST) : Cells.NONE;
  }

  /** Forgets a set without docs, and its namespace with the last one. */
  void removeSet(int set) {
    if (cells.get(set + Sets.IS_LISTED) != 0) {
      unlist(set);
    }
    int block = namespaces.find(cells.get(set + Sets.NAMESPACE), 0);
    unlink(block + FIRST_SET, set, Sets.BEFORE, Sets.BEHIND);
    sets.remove(set);
    cells.free(set, Sets.CELL_COUNT);
    cells.add(block + SET_COUNT, -1);
    if (cells.get(block + SET_COUNT) == 0) {
      namespaces.remove(block);
      cells.free(block, NAMESPACE_CELLS);
    }
  }

  /** How many sets are stored, with or without docs. */
  int setCount() {
    return sets.size();
  }

  /** The doc of a set with the secondary key, or {@link Cells#NONE}. */
  int member(int set, int secondaryKey) {
    int doc = first(set);
    while (doc != Cells.NONE && cells.ref(doc + SECONDARY_KEY) != secondaryKey) {
      doc = next(doc);
    }
    return doc;
  }

  /** Some doc of a set, followed by {@link #next}; or {@link Cells#NONE}. */
  int first(int set) {
    return cells.ref(set + Sets.FIRST);
  }

  /** The next doc of the same set, or {@link Cells#NONE}. */
  int next(int doc) {
    return cells.ref(doc + BEHIND);
  }

  private void link(int head, int block, int before, int behind) {
    int first = cells.ref(head);
    cells.set(block + behind, first);
    if (first != Cells.NONE) {
      cells.set(first + before, block);
    }
    cells.set(head, block);
  }

  private void unlink(int head, int block, int before, int behind) {
    int former = cells.ref(block + before);
    int next = cells.ref(block + behind);
    cells.set(former == Cells.NONE ? head : former + behind, next);
    if (next != Cells.NONE) {
      cells.set(next + before, former);
    }
  }

  // Namespaces.

  /** The numbers of all namespaces with docs, sorted. */
  int[] namespaces() {
    int[] names = new int[namespaces.size()];
    int found = 0;
    for (int place = 0; place < namespaces.places(); place++) {
      int block = namespaces.at(place);
      if (block != Cells.NONE && cells.get(block + DOC_COUNT) > 0) {
        names[found++] = cells.ref(block);
      }
    }
    names = Arrays.copyOf(names, found);
    Arrays.sort(names);
    return names;
  }

  int namespaceCount() {
    return namespaces().length;
  }

  /** How many docs a namespace has. */
  int count(int namespace) {
    int block = namespaces.find(namespace, 0);
    return block == Cells.NONE ? 0 : cells.ref(block + DOC_COUNT);
  }

  /** How many docs of a namespace are in sets that somebody holds at a time. */
  int held(int namespace, long nowMs) {
    int held = 0;
    for (int set = firstSet(namespace); set != Cells.NONE; set = nextSet(set)) {
      held += isHeld(set, nowMs) ? cells.ref(set + Sets.COUNT) : 0;
    }
    return held;
  }

  /** Some set of a namespace, followed by {@link #nextSet}; or {@link Cells#NONE}. */
  int firstSet(int namespace) {
    int block = namespaces.find(namespace, 0);
    return block == Cells.NONE ? Cells.NONE : cells.ref(block + FIRST_SET);
  }

  /** The next set of the same namespace, or {@link Cells#NONE}. */
  int nextSet(int set) {
    return cells.ref(set + Sets.BEHIND);
  }

  // Order.

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

  // State.

  /** Whether somebody holds a set at a time. */
  boolean isHeld(int set, long nowMs) {
    return cells.get(set + Sets.ARRIVAL_MS) > nowMs
        && (cells.get(set + Sets.CLAIMANT_HIGH) | cells.get(set + Sets.CLAIMANT_LOW)) != 0;
  }

  boolean isHeldByAnother(int set, long high, long low, long nowMs) {
    return isHeld(set, nowMs)
        && (cells.get(set + Sets.CLAIMANT_HIGH) != high
            || cells.get(set + Sets.CLAIMANT_LOW) != low);
  }

  /** Whether a doc still exists and its set is at the version of a receipt. */
  boolean isUnchanged(int doc, long version, long insertedAt) {
    return doc != Cells.NONE
        && cells.get(doc + INSERTED_AT) == insertedAt
        && cells.get(setOf(doc) + Sets.VERSION) == version;
  }

  /** Whether a set is stored at the version of a receipt. */
  boolean isSetUnchanged(int set, long version, long storedAt) {
    return set != Cells.NONE
        && cells.get(set + Sets.STORED_AT) == storedAt
        && cells.get(set + Sets.VERSION) == version;
  }

  /** A cell of the answer that shows a doc. */
  long shown(int doc, int field) {
    if (field < OWN_CELLS) {
      return cells.get(doc + field);
    }
    return field == COUNT ? 0 : cells.get(setOf(doc) + Sets.VERSION + field - VERSION);
  }

  /** A cell of the answer that shows a set. */
  long shownOfSet(int set, int field) {
    return switch (field) {
      case NAME_HIGH, NAMESPACE -> cells.get(set + Sets.NAMESPACE);
      case NAME_LOW, KEY -> cells.get(set + Sets.KEY);
      case MODIFIED_MS -> cells.get(set + Sets.MODIFIED_MS);
      default -> field < OWN_CELLS ? 0 : cells.get(set + Sets.VERSION + field - VERSION);
    };
  }

  // Names.

  /** An id and its namespace as printed. */
  String name(int namespace, long high, long low) {
    return String.format(Locale.ROOT, "%s in %s", Tasks.name(high, low), texts.text(namespace));
  }

  String name(int doc) {
    return name(cells.ref(doc + NAMESPACE), cells.get(doc + HIGH), cells.get(doc + LOW));
  }

  /** The key and namespace of a set as printed. */
  String setName(int namespace, int key) {
    return String.format(Locale.ROOT, "set %s in %s", texts.text(key), texts.text(namespace));
  }

  String setName(int set) {
    return setName(cells.ref(set + Sets.NAMESPACE), cells.ref(set + Sets.KEY));
  }
}
