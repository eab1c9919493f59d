package io.entroq.engine.doc;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.task.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trees against sorted maps, through growth, change and decay. */
class KeyTreeModelTest {

  private static final int DOCS_MAX = 6_000;

  /**
   * Where a doc stands, by the words of the contract rather than by symbols. Each byte of a key is
   * a character of Latin-1, so that texts compare as their bytes do.
   */
  private record Place(String key, String secondary, long id) {

    static final Comparator<Place> ORDER =
        Comparator.comparing(Place::key)
            .thenComparing(Place::secondary)
            .thenComparing(Place::id, Long::compareUnsigned);

    static Place before(String key) {
      return new Place(key, "", 0);
    }
  }

  /** How keys of one namespace look; each is awkward in its own way. */
  private enum Keys {
    SHORT,
    ALIKE,
    EQUAL,
    ASCENDING,
    LONG,
    ANY;

    String next(SplittableRandom random) {
      return switch (this) {
        case SHORT -> random(random, random.nextInt(4), 3);
        case ALIKE -> "order/2024/customer/" + random.nextInt(100_000);
        case EQUAL -> "all the same";
        case ASCENDING -> String.format("%012d", ++lastKey);
        case LONG -> random(random, 1000 + random.nextInt(25), 2);
        case ANY -> random(random, random.nextInt(12), 256);
      };
    }

    /** Of few different bytes, the highest and the lowest among them. */
    private static String random(SplittableRandom random, int length, int different) {
      StringBuilder key = new StringBuilder();
      for (int i = 0; i < length; i++) {
        key.append((char) ((random.nextInt(different) - 1) & 0xFF));
      }
      return key.toString();
    }
  }

  private static int lastKey;

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Docs docs = new Docs();
  private final TreeMap<Place, Integer> model = new TreeMap<>(Place.ORDER);
  private long lastId;

  @AfterEach
  void close() {
    docs.close();
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  void shouldAgreeWithASortedMapWhileDocsComeAndGo(Keys keys) {
    comeAndGo(keys, 1);
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  @Tag("long")
  void shouldAgreeWithASortedMapWhileDocsComeAndGoAgain(Keys keys) {
    comeAndGo(keys, 5);
  }

  private void comeAndGo(Keys keys, int rounds) {
    int max = keys == Keys.LONG ? DOCS_MAX / 10 : DOCS_MAX;
    for (int round = 0; round < rounds; round++) {
      step(keys, max * 3, 70);
      check(keys);
      step(keys, max * 3, 50);
      check(keys);
      step(keys, max * 4, 25);
      check(keys);
    }
    model.values().forEach(docs::delete);
    model.clear();
    assertThat(docs.isEmpty()).as("nothing is left, seed %d", seed).isTrue();
  }

  private void step(Keys keys, int steps, int insertPercent) {
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(100) < insertPercent && model.size() < DOCS_MAX) {
        insert(keys);
      } else if (model.size() > 1) {
        delete(keys);
      }
    }
  }

  private void insert(Keys keys) {
    Place place = place(keys, ++lastId);
    model.put(place, docs.insert("one", place.id(), bytes(place.key()), bytes(place.secondary())));
  }

  private Place place(Keys keys, long id) {
    return new Place(
        keys.next(random), Keys.random(random, random.nextInt(3), 4), id * 0x9E3779B97L);
  }

  private void delete(Keys keys) {
    Map.Entry<Place, Integer> entry =
        random.nextInt(5) == 0
            ? (random.nextBoolean() ? model.firstEntry() : model.lastEntry())
            : any(keys);
    model.remove(entry.getKey());
    docs.delete(entry.getValue());
  }

  private Map.Entry<Place, Integer> any(Keys keys) {
    Map.Entry<Place, Integer> entry = model.ceilingEntry(place(keys, random.nextInt(100_000)));
    return entry == null ? model.lastEntry() : entry;
  }

  private void check(Keys keys) {
    assertThat(walk(docs.tree.first(namespace()))).as("all, seed %d", seed).isEqualTo(slots(model));
    model.forEach(
        (place, doc) ->
            assertThat(find(place)).as("%s, seed %d", place, seed).isIn(atPlace(place)));
    for (int i = 0; i < 100; i++) {
      String start = keys.next(random);
      String end = keys.next(random);
      Map<Place, Integer> expected =
          start.compareTo(end) > 0
              ? Map.of()
              : model.subMap(Place.before(start), Place.before(end));
      assertThat(range(start, end)).as("a range, seed %d", seed).isEqualTo(slots(expected));
    }
  }

  private int find(Place place) {
    byte[] secondary = bytes(place.secondary());
    byte[] key = bytes(place.key());
    return docs.tree.find(
        namespace(),
        new Bytes().set(new UnsafeBuffer(key), 0, key.length),
        new Bytes().set(new UnsafeBuffer(secondary), 0, secondary.length));
  }

  /** The docs of its keys. The tree, which knows no rules, may have several. */
  private List<Integer> atPlace(Place place) {
    return slots(
        model.subMap(
            new Place(place.key(), place.secondary(), 0),
            true,
            new Place(place.key(), place.secondary(), -1),
            true));
  }

  private int namespace() {
    return docs.namespace("one");
  }

  private static List<Integer> slots(Map<Place, Integer> docs) {
    return new ArrayList<>(docs.values());
  }

  private List<Integer> walk(long first) {
    List<Integer> found = new ArrayList<>();
    for (long place = first; place != KeyTree.END; place = docs.tree.next(place)) {
      found.add(docs.tree.doc(place));
    }
    return found;
  }

  private List<Integer> range(String start, String end) {
    List<Integer> found = new ArrayList<>();
    DocPosition position = position(start);
    UnsafeBuffer bound = new UnsafeBuffer(bytes(end));
    long place = docs.tree.seek(namespace(), position);
    while (place != KeyTree.END
        && docs.store.compareKey(docs.tree.doc(place), bound, 0, end.length()) < 0) {
      found.add(docs.tree.doc(place));
      place = docs.tree.next(place);
    }
    return found;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static DocPosition position(String start) {
    DocPosition position = new DocPosition();
    position.before(new UnsafeBuffer(bytes(start)), 0, start.length());
    return position;
  }

  @Test
  void shouldMeetEveryDocOnceThatStaysWhileOthersComeAndGo() {
    step(Keys.ALIKE, 3 * DOCS_MAX, 80);
    Map<Place, Integer> before = new TreeMap<>(model);
    DocPosition position = position("");
    List<Long> met = new ArrayList<>();
    for (boolean isEnd = false; !isEnd; ) {
      isEnd = slice(position, met);
      step(Keys.ALIKE, 200, 50);
    }
    before.keySet().retainAll(model.keySet());
    assertThat(met).as("none twice, seed %d", seed).doesNotHaveDuplicates();
    List<Long> stayed = before.keySet().stream().map(Place::id).toList();
    met.retainAll(stayed);
    assertThat(met).as("all that stayed, in order, seed %d", seed).isEqualTo(stayed);
  }

  private boolean slice(DocPosition position, List<Long> met) {
    long place = docs.tree.seek(namespace(), position);
    for (int i = 0; i < 50 && place != KeyTree.END; i++) {
      int doc = docs.tree.doc(place);
      met.add(docs.store.idHigh(doc));
      position.after(docs.store, doc);
      place = docs.tree.next(place);
    }
    return place == KeyTree.END;
  }

  @Test
  void shouldFillItsNodesWhenKeysAscend() {
    for (int i = 0; i < 41 * 31; i++) {
      docs.insert("one", i, Docs.bytes(String.format("user/%06d", i)), new byte[0]);
    }
    assertThat(docs.tree.nodeCount()).as("31 full leaves and the root").isEqualTo(32);
  }
}
