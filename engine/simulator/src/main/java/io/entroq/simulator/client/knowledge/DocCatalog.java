package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The docs that clients have seen recently, by namespace: one namespace with many docs, some with
 * fewer, and some that come and go. May be out of date.
 */
public final class DocCatalog {
  /** The namespace with many docs. */
  public static final int LARGE = 0;

  /** The first key after those that are empty or resemble others. */
  public static final int FIRST_KEY = 6;

  /** Namespaces that almost always exist. */
  public static final int LASTING = 6;

  /** Namespaces that come and go. */
  public static final int PASSING = 40;

  private static final int COUNT = LASTING + PASSING;
  private static final int LARGE_DOCS = 450;
  private static final int PASSING_DOCS = 2;
  private static final int[] LASTING_DOCS = {LARGE_DOCS, 60, 30, 12, 12, 12};

  private static final int LARGE_KEYS = 250;
  private static final int LASTING_KEYS = 20;
  private static final int PASSING_KEYS = 4;
  private static final int TEXT_BYTES_MAX = 1_024;

  public final NumberedTexts namespaces =
      new NumberedTexts(COUNT, DocCatalog::namespace, Invariant.DOCS_AS_WRITTEN);
  public final NumberedTexts keys =
      new NumberedTexts(LARGE_KEYS, DocCatalog::key, Invariant.DOCS_AS_WRITTEN);
  private final List<List<KnownDoc>> catalog = new ArrayList<>();
  private final List<Long2ObjectHashMap<KnownDoc>> byId = new ArrayList<>();

  /** Sets by {@link #setKey}, in the state that was seen last. */
  private final Long2ObjectHashMap<KnownDoc> sets = new Long2ObjectHashMap<>();

  public DocCatalog() {
    for (int i = 0; i < COUNT; i++) {
      catalog.add(new ArrayList<>());
      byId.add(new Long2ObjectHashMap<>());
    }
  }

  private static String namespace(int number) {
    return switch (number) {
      case LARGE -> "customers";
      case 1 -> "ünïcödé-☃-𝄞";
      case 2 -> "n".repeat(TEXT_BYTES_MAX);
      case 3 -> "customer";
      default -> number < LASTING ? "shelf/" + number : "visit/" + (number - LASTING);
    };
  }

  private static String key(int number) {
    return switch (number) {
      case 0 -> "";
      case 1 -> "k";
      case 2 -> "k\u0000";
      case 3 -> "k\u0000\u0000";
      case 4 -> "K".repeat(TEXT_BYTES_MAX);
      case 5 -> "K".repeat(TEXT_BYTES_MAX - 1);
      default ->
          switch (number % 4) {
            case 0 -> "customer/" + number;
            case 1 -> "a/beginning/that/many/have/in/common/" + number;
            case 2 -> Long.toHexString(SeededRandom.mix(number));
            default -> (char) ('à' + number) + "/" + number % 7;
          };
    };
  }

  public static int anyNamespace(SeededRandom random) {
    int which = random.below(100);
    if (which < 45) {
      return LARGE;
    }
    return which < 75 ? 1 + random.below(LASTING - 1) : LASTING + random.below(PASSING);
  }

  /** A random key of those that a namespace uses. */
  public static int anyKey(SeededRandom random, int namespace) {
    if (namespace == LARGE) {
      // Sets of several docs are as common as single docs.
      return random.oneIn(2) ? random.below(LASTING_KEYS) : random.below(LARGE_KEYS);
    }
    return random.below(namespace < LASTING ? LASTING_KEYS : PASSING_KEYS);
  }

  /** As {@link #anyKey}, but not the empty key, which names no set. */
  public static int namedKey(SeededRandom random, int namespace) {
    return Math.max(1, anyKey(random, namespace));
  }

  /** How many docs a namespace lacks; below 0: it has too many. */
  public int lacking(int namespace) {
    int wanted = namespace < LASTING ? LASTING_DOCS[namespace] : PASSING_DOCS;
    return wanted - catalog.get(namespace).size();
  }

  /** A random doc of a namespace, or null. */
  public KnownDoc any(SeededRandom random, int namespace) {
    List<KnownDoc> docs = catalog.get(namespace);
    return docs.isEmpty() ? null : docs.get(random.below(docs.size()));
  }

  /** The newest known version of a set; 0 if nothing is known. */
  public int version(int namespace, int key) {
    KnownDoc set = sets.get(setKey(namespace, key));
    return set == null ? 0 : set.version;
  }

  /** A set in its newest known state; unheld at version 0 if nothing is known. */
  public KnownDoc set(int namespace, int key) {
    KnownDoc set = sets.get(setKey(namespace, key));
    return set == null ? KnownDoc.set(namespace, key, 0) : set.copy();
  }

  /** A doc at the newest known version of its set. */
  public KnownDoc current(KnownDoc doc) {
    KnownDoc current = doc.copy();
    current.version = version(doc.namespace, doc.key);
    return current;
  }

  private static long setKey(int namespace, int key) {
    return (long) namespace << 32 | key;
  }

  /** A reply has shown a set, or a doc of it. Late replies show former versions. */
  public void observeSet(KnownDoc shown) {
    if (shown.version >= version(shown.namespace, shown.key)) {
      correctSet(shown);
    }
  }

  /** A refusal has shown the state of a set, which may have begun anew. */
  public void correctSet(KnownDoc shown) {
    KnownDoc set = KnownDoc.set(shown.namespace, shown.key, shown.version);
    set.arrivalMs = shown.arrivalMs;
    sets.put(setKey(set.namespace, set.key), set);
  }

  /** A reply has shown a doc. */
  public void observe(KnownDoc doc) {
    observeSet(doc);
    List<KnownDoc> docs = catalog.get(doc.namespace);
    KnownDoc before = byId.get(doc.namespace).put(key(doc), doc);
    if (before == null) {
      doc.index = docs.size();
      docs.add(doc);
    } else {
      doc.index = before.index;
      docs.set(doc.index, doc);
    }
  }

  /** A doc is gone or not as expected. */
  public void remove(KnownDoc doc) {
    KnownDoc known = byId.get(doc.namespace).remove(key(doc));
    if (known != null) {
      List<KnownDoc> docs = catalog.get(doc.namespace);
      KnownDoc last = docs.remove(docs.size() - 1);
      if (last != known) {
        last.index = known.index;
        docs.set(last.index, last);
      }
    }
  }

  private static long key(KnownDoc doc) {
    return SeededRandom.mix(doc.idHigh) ^ doc.idLow;
  }

  /** Forgets a namespace. */
  public void clear(int namespace) {
    catalog.get(namespace).clear();
    byId.get(namespace).clear();
  }

  /** Forgets everything. */
  public void clear() {
    sets.clear();
    for (int i = 0; i < COUNT; i++) {
      clear(i);
    }
  }
}
