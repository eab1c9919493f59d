package io.entroq.tools.importing.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocListingTest {
  private static final int PAGE_DOCS = 4;

  /** The longest key that there is. */
  private static final String LONGEST = "z".repeat(1_024);

  private final List<DocItem> docs = new ArrayList<>();
  private final List<DocItem> listed = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldListEveryDocOnceHoweverServersCut(long seed) {
    Random random = new Random(seed);
    List<String> keys = List.of("", "a", "a\0", "ab", "b", "\u00fc", "\uffee", LONGEST);
    int size = random.nextInt(60);
    for (int i = 0; i < size; i++) {
      add(keys.get(random.nextInt(random.nextInt(keys.size()) + 1)));
    }
    new DocListing((start, end, limit) -> page(start, end, limit, random), PAGE_DOCS)
        .forEach(listed::add);
    assertThat(listed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(docs);
    listed.clear();
    new DocListing((start, end, limit) -> page(start, end, limit, null), PAGE_DOCS)
        .forEach(listed::add);
    assertThat(listed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(docs);
  }

  private void add(String key) {
    docs.add(new DocItem("doc-" + docs.size(), key, "", Value.absent()));
  }

  /** The first ones, or any. */
  private List<DocItem> page(String start, String end, int limit, Random random) {
    assertThat(end.length()).isLessThanOrEqualTo(LONGEST.length());
    List<DocItem> range = new ArrayList<>();
    for (DocItem doc : docs) {
      if (doc.key().compareTo(start) >= 0 && (end.isEmpty() || doc.key().compareTo(end) < 0)) {
        range.add(doc);
      }
    }
    range.sort(Comparator.comparing(DocItem::key));
    if (limit == 0 || range.size() <= limit) {
      return range;
    }
    if (random != null) {
      Collections.shuffle(range, random);
    }
    List<DocItem> cut = new ArrayList<>(range.subList(0, limit));
    cut.sort(Comparator.comparing(DocItem::key));
    return cut;
  }
}
