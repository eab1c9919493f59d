package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Compares the tables with maps of the library. */
class TablesModelTest {
  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void shouldFindIdsAsAMapDoes() {
    IdTable<Integer> table = new IdTable<>();
    Map<Long, Integer> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long id = random.nextInt(2_000);
      switch (random.nextInt(4)) {
        case 0 -> assertThat(table.remove(id, -id)).isEqualTo(model.remove(id));
        case 1 -> assertThat(table.get(id, -id)).isEqualTo(model.get(id));
        default -> {
          table.put(id, -id, i);
          model.put(id, i);
        }
      }
      assertThat(table.size()).as("seed %d", seed).isEqualTo(model.size());
    }
    model.forEach((id, value) -> assertThat(table.get(id, -id)).isEqualTo(value));
    table.retain(value -> value % 2 == 0);
    model.values().removeIf(value -> value % 2 != 0);
    int[] sum = new int[1];
    table.forEach(value -> sum[0]++);
    assertThat(sum[0]).isEqualTo(table.size()).isEqualTo(model.size());
  }

  @Test
  void shouldFindNamesOfAnyLength() {
    NameTable table = new NameTable();
    Map<String, RateEntry> model = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String name = "n".repeat(random.nextInt(40)) + random.nextInt(300);
      byte[] bytes = ("xxx" + name).getBytes(StandardCharsets.UTF_8);
      UnsafeBuffer buffer = new UnsafeBuffer(bytes);
      RateEntry found = table.find(buffer, 3, bytes.length - 3);
      assertThat(found).as("seed %d: %s", seed, name).isSameAs(model.get(name));
      if (found == null) {
        RateEntry entry = new RateEntry(name.getBytes(StandardCharsets.UTF_8));
        table.add(entry);
        model.put(name, entry);
      }
    }
    assertThat(table.size()).isEqualTo(model.size());
    table.retain(entry -> entry.text().length() % 2 == 0);
    model.forEach(
        (name, entry) ->
            assertThat(table.find(entry.name, 0, name.length()))
                .isSameAs(name.length() % 2 == 0 ? entry : null));
  }
}
